package import ExhibitSystem

package struct DatabaseOpening: LogPayload {
  package static let kind = "databaseOpened"

  /// Its number in the process, from 1.
  package var connection: Int
  /// `nil` for in-memory and temporary databases, of which only the first used is logged.
  package var path: String?
  package var device: UInt64?
  package var inode: UInt64?

  package init(connection: Int, path: String?, file: FileIdentity? = nil) {
    self.connection = connection
    self.path = path
    device = file?.device
    inode = file?.inode
  }

  package var file: FileIdentity? {
    guard let device, let inode else { return nil }
    return FileIdentity(device: device, inode: inode)
  }

  package func write(to text: inout JSONText) {
    text.member("connection", connection)
    text.member("path", path)
    text.member("device", device)
    text.member("inode", inode)
  }
}
