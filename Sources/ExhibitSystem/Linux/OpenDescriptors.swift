import Glibc

/// The open descriptors of this process, from `/proc/self/fd`.
///
/// Descriptors opened with `O_PATH` do not count: they neither read nor lock.
package enum OpenDescriptors {
  /// A descriptor of the file; `nil` when this process has none.
  package static func first(of identity: FileIdentity) -> Int32? {
    all().first { leads($0, to: identity) }
  }

  package static func readable(of identity: FileIdentity) -> Int32? {
    all().first { leads($0, to: identity) && fcntl($0, F_GETFL) & O_ACCMODE != O_WRONLY }
  }

  /// True when this process has the file at a path open.
  package static func hold(_ path: String) throws -> Bool {
    guard let status = try FileStatus(path: path) else { return false }
    return first(of: status.identity) != nil
  }

  /// The number of descriptors of a file, as a rule one for each connection.
  package static func count(of identity: FileIdentity) -> Int {
    all().count { leads($0, to: identity) }
  }

  private static func leads(_ descriptor: Int32, to identity: FileIdentity) -> Bool {
    FileStatus(descriptor: descriptor)?.identity == identity && !isPathOnly(descriptor)
  }

  package static func path(of descriptor: Int32) -> String? {
    FileSystem.realPath("/proc/self/fd/\(descriptor)")
  }

  package static func all() -> [Int32] {
    let folder = "/proc/self/fd"
    guard let names = try? FolderEntries.names(in: folder) else { return Array(0..<1024) }
    return names.compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
  }

  /// True for a descriptor opened with `O_PATH`.
  package static func isPathOnly(_ descriptor: Int32) -> Bool {
    // O_PATH, which Swift does not import; the same on every architecture that Swift runs on.
    let pathOnly: Int32 = 0o10000000
    return fcntl(descriptor, F_GETFL) & pathOnly != 0
  }
}
