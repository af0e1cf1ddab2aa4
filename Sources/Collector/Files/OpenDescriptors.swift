#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The files that this process has open, whoever opened them.
package enum OpenDescriptors {
  /// A descriptor of the file that can be read or written through, or `nil` when the process has it open nowhere.
  ///
  /// A descriptor that only names a file (`O_PATH`) does not count: it neither reads nor locks.
  static func first(of identity: FileIdentity) -> Int32? {
    all().first { FileStatus(descriptor: $0)?.identity == identity && !isPathOnly($0) }
  }

  /// One of them that can be read through.
  static func readable(of identity: FileIdentity) -> Int32? {
    all().first {
      FileStatus(descriptor: $0)?.identity == identity && !isPathOnly($0)
        && fcntl($0, F_GETFL) & O_ACCMODE != O_WRONLY
    }
  }

  /// Whether something in this process has the file at `path` open.
  static func hold(_ path: String) throws -> Bool {
    guard let status = try FileStatus(path: path) else { return false }
    return first(of: status.identity) != nil
  }

  /// Whether a descriptor leads to a file that begins as a database does.
  ///
  /// Whoever owns it is not disturbed: nothing is opened, closed or moved.
  static func isDatabase(_ descriptor: Int32) -> Bool {
    var bytes = [UInt8](repeating: 0, count: DatabaseHeader.magic.count)
    // A descriptor that cannot be read is none of SQLite's.
    _ = try? bytes.withUnsafeMutableBytes {
      try InputFile.read(descriptor, into: $0, at: 0, path: "descriptor \(descriptor)")
    }
    return bytes == DatabaseHeader.magic
  }

  /// The databases that something in this process has open, by their paths, in the order of opening.
  ///
  /// Whoever opened them: any copy of SQLite. Deleted ones have no path any more and are left out.
  package static func databases() -> [(path: String, identity: FileIdentity)] {
    var found: [(path: String, identity: FileIdentity)] = []
    for descriptor in all().sorted() where !isPathOnly(descriptor) {
      guard let status = FileStatus(descriptor: descriptor), status.kind == .regular,
        !found.contains(where: { $0.identity == status.identity }), isDatabase(descriptor),
        let path = path(of: descriptor), (try? FileStatus(path: path))?.identity == status.identity
      else { continue }
      found.append((path, status.identity))
    }
    return found
  }

  private static func path(of descriptor: Int32) -> String? {
    #if os(Linux)
      guard let path = realpath("/proc/self/fd/\(descriptor)", nil) else { return nil }
      defer { free(path) }
      return String(cString: path)
    #else
      return nil
    #endif
  }

  private static func all() -> [Int32] {
    #if os(Linux)
      let folder = "/proc/self/fd"
    #else
      let folder = "/dev/fd"
    #endif
    // Without /proc every number has to be tried.
    guard let names = try? FolderEntries.names(in: folder) else { return Array(0..<1024) }
    return names.compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
  }

  private static func isPathOnly(_ descriptor: Int32) -> Bool {
    #if os(Linux)
      // O_PATH, which Swift does not see; the same number on every architecture that Swift runs on.
      let pathOnly: Int32 = 0o10000000
      return fcntl(descriptor, F_GETFL) & pathOnly != 0
    #else
      return false
    #endif
  }
}
