import ExhibitSQLite
package import ExhibitSystem
import Glibc

/// A dead process's file, as it was when it could not be captured.
package struct LeftFile: Sendable, Equatable, Codable {
  package var path: String
  package var device: UInt64
  package var inode: UInt64
  /// The `ctime`: seconds since 1970, to the microsecond.
  package var changed: Double

  package init(path: String, file: FileIdentity, changed: Double) {
    self.path = path
    device = file.device
    inode = file.inode
    self.changed = changed
  }

  package static func all(of database: String) throws(SystemError) -> [LeftFile] {
    var files: [LeftFile] = []
    for path in [database] + SideFile.withRows.map({ $0.path(beside: database) }) {
      var status = stat()
      guard stat(path, &status) == 0 else {
        if errno == ENOENT || errno == ENOTDIR { continue }
        throw SystemError("look at", path)
      }
      let time = status.st_ctim
      let microseconds = Double(time.tv_sec) * 1e6 + (Double(time.tv_nsec) / 1e3).rounded()
      files.append(LeftFile(path: path, file: FileIdentity(status), changed: microseconds / 1e6))
    }
    return files
  }

  func write(to text: inout JSONText) {
    text.member("path", path)
    text.member("device", device)
    text.member("inode", inode)
    text.member("changed", changed)
  }
}
