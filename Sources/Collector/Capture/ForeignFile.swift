import ExhibitSystem
import Glibc

/// A regular file of somebody else, read while others in this process may have it open and locked.
///
/// It is opened on a thread with its own table of descriptors. Where that is impossible, it is read through a
/// descriptor that the process has of it. Only a file that the process has open nowhere is opened like any other.
final class ForeignFile {
  let path: String
  /// The status when the file was opened.
  let status: FileStatus
  private let access: Access

  private enum Access {
    case separate(SeparateDescriptors, Int32)
    /// A descriptor of somebody else, who may close it at any time, after which its number may be another file's.
    case borrowed(Int32)
    case opened(InputFile)
  }

  /// Opens a regular file only: no links, and no FIFOs, on which opening would block.
  ///
  /// - Parameter descriptors: The thread that opens it; `nil` where there is none.
  /// - Throws: `SystemError`, or `CaptureError` for a file that cannot be read without harm.
  convenience init(path: UnsafePointer<CChar>, in descriptors: SeparateDescriptors?) throws {
    try self.init(path, in: descriptors, followingLinks: false)
  }

  /// Opens the regular file that a link of `/proc/self/fd` leads to, deleted or not.
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

  /// - Returns: `nil` when the process has the file open nowhere.
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

  /// The current status of the file.
  ///
  /// - Throws: `SystemError`.
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

  /// True when somebody has written it since it was opened.
  var hasChanged: Bool {
    // A file without a readable status may have changed in any way.
    guard let now = try? currentStatus() else { return true }
    return now.bytes != status.bytes || now.modified != status.modified
  }

  /// Fills `buffer` from `offset`.
  ///
  /// - Returns: The number of bytes read.
  /// - Throws: `SystemError`.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
    switch access {
    case .separate(let descriptors, let descriptor): return try read(descriptors, descriptor, buffer, offset)
    case .opened(let file): return try file.read(into: buffer, at: offset)
    case .borrowed(let descriptor):
      let count = try InputFile.read(descriptor, into: buffer, at: offset, path: path)
      // The descriptor's owner may have closed it meanwhile, and its number may be another file's now.
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

  /// The first bytes, at most `count`.
  ///
  /// - Throws: `SystemError`.
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
