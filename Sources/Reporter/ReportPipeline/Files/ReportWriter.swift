import Collector
import ExhibitSystem
import Glibc
import ReportRendering

/// Writes files into the folder of a report that is being built; several threads may use it at once.
struct ReportWriter: Sendable {
  /// An absolute path.
  let folder: String

  @Sendable func write(_ file: ReportFile) throws(SystemError) {
    let target = folder + "/" + file.path
    do throws(SystemError) {
      try FileSystem.writeNewFile(target, file.contents)
    } catch  where error.code == ENOENT {
      // It is the first file of its folder.
      if let folder = FileSystem.parentFolder(of: target) { try FileSystem.createFolder(folder) }
      try FileSystem.writeNewFile(target, file.contents)
    }
  }

  /// Writes a file in pieces.
  func write(_ path: String, _ produce: (_ take: ([UInt8]) throws -> Void) throws -> Void) throws {
    let target = folder + "/" + path
    let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError("create", target) }
    defer { close(descriptor) }
    try produce { bytes in try FileSystem.write(bytes, to: descriptor, path: target) }
  }
}
