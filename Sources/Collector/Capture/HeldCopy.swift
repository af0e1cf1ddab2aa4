import ExhibitSQLite
import ExhibitSystem

/// A copy of a database that was held after its last connection closed, in a folder that `deinit` removes.
package final class HeldCopy {
  private let folder: ScratchFolder
  /// The absolute path of the database; a WAL lies beside it.
  package var database: String { folder.path + "/database" }

  /// Copies files that nobody in this process has open, inside `folder`.
  ///
  /// - Throws: `SystemError`, or `CaptureError` when the file was opened again meanwhile.
  package init(of database: String, wal: String?, at folder: String) throws {
    self.folder = try ScratchFolder(in: folder)
    try copy(database, to: self.database)
    if let wal { try copy(wal, to: SideFile.wal.path(beside: self.database)) }
  }

  /// Writes the bytes of a serialised database.
  ///
  /// - Throws: `SystemError`.
  package init(of bytes: [UInt8], at folder: String) throws {
    self.folder = try ScratchFolder(in: folder)
    var bytes = bytes
    DatabaseHeader.leaveWALMode(&bytes)
    let output = try OutputFile(creating: database)
    try bytes.withUnsafeBytes { try output.write($0) }
  }

  private func copy(_ source: String, to destination: String) throws {
    guard let status = try FileStatus(path: source) else { throw CaptureError.missing(source) }
    guard OpenDescriptors.first(of: status.identity) == nil else { throw CaptureError.foreignHandle(source) }
    // Somebody may open and lock it again at any time.
    let input = try ForeignFile(link: source, in: try? SeparateDescriptors())
    try RawFiles.copy(input, bytes: input.status.bytes, to: destination)
  }
}
