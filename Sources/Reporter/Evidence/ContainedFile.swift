import Collector
import Glibc

/// A regular file that was opened below a folder without following any link on the way.
final class ContainedFile {
  enum OpeningError: Error, Equatable {
    /// Nothing lies there.
    case missing
    /// The path leaves its folder, goes through a link, or leads to something that is no regular file.
    case outside
    /// The operating system refused.
    case unreadable(SystemError)
  }

  let descriptor: Int32
  /// The size in bytes when it was opened.
  let size: Int
  /// Tells files apart: device and inode.
  let identity: Identity

  struct Identity: Hashable {
    var device: UInt
    var inode: UInt
  }

  /// Opens the file at a path, if it is one.
  static func open(_ path: ContainedPath) -> Result<ContainedFile, OpeningError> {
    Result { () throws(OpeningError) in try ContainedFile(path) }
  }

  private init(_ contained: ContainedPath) throws(OpeningError) {
    let parts = contained.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.allSatisfy(Self.isPlain) else { throw .outside }
    descriptor = try Self.open(parts, in: contained.folder)
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
    identity = Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
  }

  deinit {
    close(descriptor)
  }

  /// The first bytes, at most `count`; what cannot be read is left out.
  func head(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
      read = max(0, pread(descriptor, buffer.baseAddress, count, 0))
    }
  }

  /// What the file is, by its first bytes; a database is only what SQLite would recognise as its own.
  var recognisedKind: EvidenceKind {
    let head = head(4096)
    if head.starts(with: "SQLite format 3\0".utf8) { return .database }
    let isText = size <= 1 << 20 && !head.contains(0) && !head.isEmpty
    return isText && Self.isUTF8(head, isWhole: head.count == size) ? .text : .file
  }

  /// Whether bytes are UTF-8; the last character may be cut where they are not the whole.
  private static func isUTF8(_ bytes: [UInt8], isWhole: Bool) -> Bool {
    let cuts = isWhole ? 0...0 : 0...3
    return cuts.contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
  }

  private static func isPlain(_ part: String) -> Bool {
    !part.isEmpty && part != "." && part != ".." && !part.utf8.contains(0)
  }

  private static func open(_ parts: [String], in folder: String) throws(OpeningError) -> Int32 {
    var descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error(folder) }
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      // Opening a FIFO must not wait for its writer.
      let flags = isLast ? O_RDONLY | O_NONBLOCK : O_RDONLY | O_DIRECTORY
      let next = openat(descriptor, part, flags | O_NOFOLLOW | O_CLOEXEC)
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
    // A link, a link on the way, and a socket.
    case ELOOP, ENOTDIR, ENXIO: .outside
    default: .unreadable(SystemError("open", path))
    }
  }
}
