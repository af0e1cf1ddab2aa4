import Glibc

/// The files that this process has open, whoever opened them.
package enum OpenDescriptors {
  /// A descriptor of the file that can be read or written through, or `nil` when the process has it open nowhere.
  ///
  /// A descriptor that only names a file (`O_PATH`) does not count: it neither reads nor locks.
  package static func first(of identity: FileIdentity) -> Int32? {
    all().first { FileStatus(descriptor: $0)?.identity == identity && !isPathOnly($0) }
  }

  /// One of them that can be read through.
  package static func readable(of identity: FileIdentity) -> Int32? {
    all().first {
      FileStatus(descriptor: $0)?.identity == identity && !isPathOnly($0)
        && fcntl($0, F_GETFL) & O_ACCMODE != O_WRONLY
    }
  }

  /// Whether something in this process has the file at `path` open.
  package static func hold(_ path: String) throws -> Bool {
    guard let status = try FileStatus(path: path) else { return false }
    return first(of: status.identity) != nil
  }

  /// How many descriptors of the file there are that can be read or written through: as a rule one for a connection.
  package static func count(of identity: FileIdentity) -> Int {
    all().count { FileStatus(descriptor: $0)?.identity == identity && !isPathOnly($0) }
  }

  /// Where the file of a descriptor lies; `nil` when that cannot be known.
  package static func path(of descriptor: Int32) -> String? {
    guard let path = realpath("/proc/self/fd/\(descriptor)", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  /// The numbers of all of them.
  package static func all() -> [Int32] {
    let folder = "/proc/self/fd"
    // Without /proc every number has to be tried.
    guard let names = try? FolderEntries.names(in: folder) else { return Array(0..<1024) }
    return names.compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
  }

  /// Whether a descriptor only names a file (`O_PATH`).
  package static func isPathOnly(_ descriptor: Int32) -> Bool {
    // O_PATH, which Swift does not see; the same number on every architecture that Swift runs on.
    let pathOnly: Int32 = 0o10000000
    return fcntl(descriptor, F_GETFL) & pathOnly != 0
  }
}
