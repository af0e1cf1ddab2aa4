package import ExhibitSystem

package struct DatabaseAttaching: LogPayload {
  package static let kind = "databaseAttached"

  package var connection: Int
  package var path: String
  /// Tells the file from a later one at its path.
  package var device: UInt64?
  package var inode: UInt64?

  package init(connection: Int, path: String, file: FileIdentity? = nil) {
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
