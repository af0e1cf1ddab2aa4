import ExhibitCSystem
package import Glibc

/// The device and inode of a file.
package struct FileIdentity: Hashable, Sendable {
  package var device: UInt64
  package var inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  package init(_ status: stat) {
    self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// The identity of the file at a path, links followed; `nil` when there is none.
  package init?(path: String) {
    guard let status = FileSystem.targetStatus(path) else { return nil }
    self.init(status)
  }
}

/// What `stat` says of a file.
package struct FileStatus: Equatable {
  package enum Kind: Equatable {
    case regular, directory, link, other(String)
  }

  package var identity: FileIdentity
  package var kind: Kind
  package var bytes: Int
  package var isExecutable: Bool
  /// The last change to the content, in nanoseconds since 1970.
  package var modified: Int64

  /// `nil` when nothing is there.
  ///
  /// - Parameter followingLinks: False for the status of a link itself.
  package init?(path: UnsafePointer<CChar>, followingLinks: Bool = true) throws {
    var info = stat()
    guard (followingLinks ? stat(path, &info) : lstat(path, &info)) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw SystemError("look at", String(cString: path))
    }
    self.init(info)
  }

  package init?(descriptor: Int32) {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { return nil }
    self.init(info)
  }

  /// - Parameter call: Fills in the status and returns 0 or the negative `errno`.
  package init(of path: String, by call: (UnsafeMutablePointer<stat>) -> Int) throws {
    var info = stat()
    let answer = withUnsafeMutablePointer(to: &info) { call($0) }
    guard answer == 0 else { throw SystemError("look at", path, code: Int32(clamping: -answer)) }
    self.init(info)
  }

  private init(_ info: stat) {
    identity = FileIdentity(info)
    bytes = Int(info.st_size)
    isExecutable = info.st_mode & S_IXUSR != 0
    kind =
      switch info.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .link
      case S_IFIFO: .other("FIFO")
      case S_IFSOCK: .other("socket")
      case S_IFBLK, S_IFCHR: .other("device")
      default: .other("special file")
      }
    let time = info.st_mtim
    modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension FileStatus {
  /// The creation time in nanoseconds since 1970; `nil` where the file system keeps none.
  package static func birth(of path: String) -> Int64? {
    var time: Int64 = 0
    return exhibit_birth_time(path, &time) ? time : nil
  }
}
