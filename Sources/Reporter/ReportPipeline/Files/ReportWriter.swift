import Collector
import ExhibitSystem
import Glibc
import ReportRendering

/// Writes a report's files, from several threads.
struct ReportWriter: Sendable {
  let folder: String

  @Sendable func write(_ file: ReportFile) throws(SystemError) {
    let target = folder + "/" + file.path
    do throws(SystemError) {
      try FileSystem.writeNewFile(target, file.contents)
    } catch  where error.code == ENOENT {
      if let folder = FileSystem.parentFolder(of: target) { try FileSystem.createFolder(folder) }
      try FileSystem.writeNewFile(target, file.contents)
    }
  }

  func write(_ path: String, _ produce: (_ take: ([UInt8]) throws -> Void) throws -> Void) throws {
    let target = folder + "/" + path
    let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError("create", target) }
    defer { close(descriptor) }
    try produce { bytes in try FileSystem.write(bytes, to: descriptor, path: target) }
  }
}
