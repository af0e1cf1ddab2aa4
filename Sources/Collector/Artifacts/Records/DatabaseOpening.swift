package import ExhibitSystem

/// A connection to a database was opened.
package struct DatabaseOpening: LogPayload {
  package static let kind = "databaseOpened"

  /// The number of the connection in its process, from 1.
  package var connection: Int
  /// The absolute path of the file; `nil` for in-memory and temporary databases, of which a log has only the first
  /// used.
  package var path: String?
  /// Identifies the file, so that another one in its place is not mistaken for it.
  package var device: UInt64?
  package var inode: UInt64?

  package init(connection: Int, path: String?, file: FileIdentity? = nil) {
    self.connection = connection
    self.path = path
    device = file?.device
    inode = file?.inode
  }

  /// The file that was opened, when that is known.
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
