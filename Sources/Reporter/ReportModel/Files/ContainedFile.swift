package import Collector
package import ExhibitSystem
package import Foundation

/// A regular file below a folder, opened without following a link on the way.
package final class ContainedFile {
  package enum OpeningError: Error, Equatable {
    case missing
    /// The path leaves its folder, goes through a link, or names no regular file.
    case outside
    case unreadable(SystemError)

    package static let outsideMeaning =
      "a link or no file where a run has one; it was not followed, and nothing was read from it"

    package func sentence(on name: String) -> String {
      switch self {
      case .missing: "There is no \(name)."
      case .outside: "\(name) is \(Self.outsideMeaning)."
      case .unreadable(let error): error.description
      }
    }
  }

  package let descriptor: Int32
  private let path: String
  package let size: Int
  package let identity: FileIdentity

  package static func open(_ path: ContainedPath) -> Result<ContainedFile, OpeningError> {
    Result { () throws(OpeningError) in try ContainedFile(path) }
  }

  private init(_ contained: ContainedPath) throws(OpeningError) {
    path = contained.path
    // Opening a FIFO must not wait for a writer.
    descriptor = try Self.open(contained, flags: O_RDONLY | O_NONBLOCK)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let error = SystemError("read", contained.path)
      close(descriptor)
      throw .unreadable(error)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .outside
    }
    size = Int(status.st_size)
    identity = FileIdentity(status)
  }

  deinit {
    close(descriptor)
  }

  package static let mappedSize = 64 << 20

  package func contents() throws -> Data {
    let opened = URL(fileURLWithPath: "/proc/self/fd/\(descriptor)")
    return try Data(contentsOf: opened, options: size >= Self.mappedSize ? .alwaysMapped : [])
  }

  package func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    try InputFile.bytes(of: descriptor, at: offset, count: count, path: path)
  }

  /// By content; a database is what SQLite would accept.
  package func recognisedKind() throws(SystemError) -> EvidenceKind {
    let head = try bytes(at: 0, count: 4096)
    if head.starts(with: "SQLite format 3\0".utf8) { return .database }
    let isText = size <= 1 << 20 && !head.contains(0) && !head.isEmpty
    return isText && Self.isUTF8(head, isWhole: head.count == size) ? .text : .file
  }

  private static func isUTF8(_ bytes: [UInt8], isWhole: Bool) -> Bool {
    let cuts = isWhole ? 0...0 : 0...3
    return cuts.contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
  }

  /// The sorted names in a folder; an empty path is the outer one.
  package static func entries(of folder: ContainedPath) throws(OpeningError) -> [String] {
    let descriptor = try open(folder, flags: O_RDONLY | O_DIRECTORY)
    do throws(SystemError) {
      return try FileSystem.entries(
        ofOpen: descriptor, path: folder.path.isEmpty ? folder.folder : folder.path)
    } catch {
      throw .unreadable(error)
    }
  }

  private static func isPlain(_ part: String) -> Bool {
    !part.isEmpty && part != "." && part != ".." && !part.utf8.contains(0)
  }

  /// `O_PATH`, which Glibc's module lacks (asm-generic/fcntl.h of x86-64 and arm64).
  private static let onlyAsPlace: Int32 = 0o10_000_000

  private static func open(_ contained: ContainedPath, flags: Int32) throws(OpeningError) -> Int32 {
    let parts =
      contained.path.isEmpty
      ? [] : contained.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.allSatisfy(isPlain), contained.allowsHidden || !parts.contains(where: { $0.hasPrefix(".") })
    else { throw .outside }
    let onTheWay = Self.onlyAsPlace | O_DIRECTORY
    var descriptor = Glibc.open(contained.folder, (parts.isEmpty ? flags : onTheWay) | O_CLOEXEC)
    guard descriptor >= 0 else { throw error(contained.folder) }
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      let next = openat(descriptor, part, (isLast ? flags : onTheWay) | O_NOFOLLOW | O_CLOEXEC)
      let failure = next < 0 ? error(parts.joined(separator: "/")) : nil
      close(descriptor)
      if let failure { throw failure }
      descriptor = next
    }
    return descriptor
  }

  private static func error(_ path: String) -> OpeningError {
    switch errno {
    case ENOENT: .missing
    // A link anywhere, or a socket.
    case ELOOP, ENOTDIR, ENXIO: .outside
    default: .unreadable(SystemError("open", path))
    }
  }
}
