import ExhibitSystem
import Glibc

/// A regular file that others in this process may have open and locked.
///
/// It is opened with its own descriptor table, or read through a descriptor of the process.
final class ForeignFile {
  let path: String
  let status: FileStatus
  private let access: Access

  private enum Access {
    case separate(SeparateDescriptors, Int32)
    /// Its owner may close it, and the number may then be another file's.
    case borrowed(Int32)
    case opened(InputFile)
  }

  /// Refuses links, and FIFOs, on which opening would block.
  convenience init(path: UnsafePointer<CChar>, in descriptors: SeparateDescriptors?) throws {
    try self.init(path, in: descriptors, followingLinks: false)
  }

  /// Opens the file, maybe deleted, that a link of `/proc/self/fd` leads to.
  convenience init(link: UnsafePointer<CChar>, in descriptors: SeparateDescriptors?) throws {
    try self.init(link, in: descriptors, followingLinks: true)
  }

  private init(
    _ path: UnsafePointer<CChar>, in descriptors: SeparateDescriptors?, followingLinks: Bool
  ) throws {
    self.path = String(cString: path)
    guard let descriptors else {
      (access, status) = try Self.withoutSeparation(path, followingLinks: followingLinks)
      return
    }
    do {
      (access, status) = try Self.separate(descriptors, path, followingLinks: followingLinks)
    } catch {
      guard let borrowed = try? Self.borrowed(path, followingLinks: followingLinks) else { throw error }
      (access, status) = borrowed
    }
  }

  deinit {
    if case .separate(let descriptors, let descriptor) = access { _ = descriptors.run(.close(descriptor)) }
  }

  // MARK: - Opening

  private static func separate(
    _ descriptors: SeparateDescriptors, _ path: UnsafePointer<CChar>, followingLinks: Bool
  ) throws -> (Access, FileStatus) {
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followingLinks ? 0 : O_NOFOLLOW)
    let name = String(cString: path)
    let descriptor = Int32(clamping: descriptors.run(.open(path, flags: flags)))
    guard descriptor >= 0 else { throw SystemError("open", name, code: -descriptor) }
    do {
      let status = try FileStatus(of: name) { descriptors.run(.status(descriptor, $0)) }
      guard status.kind == .regular else { throw SystemError("read as a regular file", name, code: EINVAL) }
      return (.separate(descriptors, descriptor), status)
    } catch {
      _ = descriptors.run(.close(descriptor))
      throw error
    }
  }

  private static func borrowed(
    _ path: UnsafePointer<CChar>, followingLinks: Bool
  ) throws -> (Access, FileStatus)? {
    guard let there = try FileStatus(path: path, followingLinks: followingLinks), there.kind == .regular,
      OpenDescriptors.first(of: there.identity) != nil
    else { return nil }
    guard let descriptor = OpenDescriptors.readable(of: there.identity),
      let status = FileStatus(descriptor: descriptor), status.identity == there.identity
    else {
      throw CaptureError(
        .foreignHandle,
        "\(String(cString: path)) is open in the test process, and reading it could break a lock of that.")
    }
    return (.borrowed(descriptor), status)
  }

  private static func withoutSeparation(
    _ path: UnsafePointer<CChar>, followingLinks: Bool
  ) throws -> (Access, FileStatus) {
    if let borrowed = try borrowed(path, followingLinks: followingLinks) { return borrowed }
    let file = try followingLinks ? InputFile(link: path) : InputFile(path: path)
    return (.opened(file), file.status)
  }

  // MARK: - Reading

  func currentStatus() throws -> FileStatus {
    let status =
      switch access {
      case .separate(let descriptors, let descriptor):
        try FileStatus(of: path) { descriptors.run(.status(descriptor, $0)) }
      case .borrowed(let descriptor): FileStatus(descriptor: descriptor)
      case .opened(let file): FileStatus(descriptor: file.descriptor)
      }
    guard let status, status.identity == self.status.identity else {
      throw SystemError("look at", path, code: EBADF)
    }
    return status
  }

  var hasChanged: Bool {
    guard let now = try? currentStatus() else { return true }
    return now.bytes != status.bytes || now.modified != status.modified
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
    switch access {
    case .separate(let descriptors, let descriptor): return try read(descriptors, descriptor, buffer, offset)
    case .opened(let file): return try file.read(into: buffer, at: offset)
    case .borrowed(let descriptor):
      let count = try InputFile.read(descriptor, into: buffer, at: offset, path: path)
      _ = try currentStatus()
      return count
    }
  }

  private func read(
    _ descriptors: SeparateDescriptors, _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer,
    _ offset: Int
  ) throws -> Int {
    var length = 0
    while length < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer.dropFirst(length))
      let count = descriptors.run(.read(descriptor, rest, at: offset + length))
      if count == -Int(EINTR) { continue }
      guard count >= 0 else { throw SystemError("read", path, code: Int32(clamping: -count)) }
      if count == 0 { break }
      length += count
    }
    return length
  }

  func prefix(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let length = try bytes.withUnsafeMutableBytes { try read(into: $0, at: 0) }
    return Array(bytes.prefix(length))
  }
}

extension ForeignFile: ReadableFile {
  func size() throws -> Int { try currentStatus().bytes }

  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
    let count = try read(into: buffer, at: offset)
    UnsafeMutableRawBufferPointer(rebasing: buffer.dropFirst(count)).initializeMemory(
      as: UInt8.self, repeating: 0)
  }
}
