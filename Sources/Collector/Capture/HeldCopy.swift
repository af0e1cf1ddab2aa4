import ExhibitSQLite
import ExhibitSystem

/// A copy of a held database, in a folder that `deinit` removes.
package final class HeldCopy {
  private let folder: ScratchFolder
  package var database: String { folder.path + "/database" }

  /// - Throws: `CaptureError` when this process has opened the files again, else `SystemError`.
  package init(of database: String, wal: String?, at folder: String) throws {
    self.folder = try ScratchFolder(in: folder)
    try copy(database, to: self.database)
    if let wal { try copy(wal, to: SideFile.wal.path(beside: self.database)) }
  }

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
    // The app may open and lock it again at any time.
    let input = try ForeignFile(link: source, in: try? SeparateDescriptors())
    try RawFiles.copy(input, bytes: input.status.bytes, to: destination)
  }
}
