import Glibc

/// The files that this process has open, whoever opened them.
package enum OpenDescriptors {
  /// A descriptor through which the file can be read or written; `nil` when the process does not have it open.
  ///
  /// A descriptor that only names a file (`O_PATH`) does not count: it neither reads nor locks.
  package static func first(of identity: FileIdentity) -> Int32? {
    all().first { leads($0, to: identity) }
  }

  /// A descriptor of the file that can be read through.
  package static func readable(of identity: FileIdentity) -> Int32? {
    all().first { leads($0, to: identity) && fcntl($0, F_GETFL) & O_ACCMODE != O_WRONLY }
  }

  /// True when this process has the file at `path` open.
  package static func hold(_ path: String) throws -> Bool {
    guard let status = try FileStatus(path: path) else { return false }
    return first(of: status.identity) != nil
  }

  /// The number of the file's descriptors that can be read or written through; as a rule one for each connection.
  package static func count(of identity: FileIdentity) -> Int {
    all().count { leads($0, to: identity) }
  }

  private static func leads(_ descriptor: Int32, to identity: FileIdentity) -> Bool {
    FileStatus(descriptor: descriptor)?.identity == identity && !isPathOnly(descriptor)
  }

  /// The path of a descriptor's file; `nil` when it cannot be known.
  package static func path(of descriptor: Int32) -> String? {
    FileSystem.realPath("/proc/self/fd/\(descriptor)")
  }

  /// The numbers of all open descriptors.
  package static func all() -> [Int32] {
    let folder = "/proc/self/fd"
    // Without /proc every number must be tried.
    guard let names = try? FolderEntries.names(in: folder) else { return Array(0..<1024) }
    return names.compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
  }

  /// True when a descriptor only names a file (`O_PATH`).
  package static func isPathOnly(_ descriptor: Int32) -> Bool {
    // O_PATH, which Swift does not import; it is the same on every architecture that Swift runs on.
    let pathOnly: Int32 = 0o10000000
    return fcntl(descriptor, F_GETFL) & pathOnly != 0
  }
}
