import ExhibitSQLite
import ExhibitSystem
import Glibc

/// A copy of a dead process's database files: SQLite could repair or delete the originals.
final class LeftFiles {
  private let folder: ScratchFolder
  var database: String { folder.path + "/database" }

  init(of file: DatabaseFile, in folder: String, limits: CaptureLimits) throws {
    self.folder = try ScratchFolder(in: folder)
    let deadline = ContinuousClock.now + limits.wait
    while true {
      let before = try Self.status(of: file)
      try check(before, of: file, limit: limits.databaseBytes)
      for (suffix, status) in zip(Self.suffixes, before) {
        guard let status else { continue }
        try RawFiles.copy(
          try InputFile(path: file.path + suffix), bytes: status.bytes, to: database + suffix)
      }
      if try Self.status(of: file) == before { return }
      guard ContinuousClock.now < deadline else { throw CaptureError.busy(file.name) }
      try removeAll()
      usleep(20_000)
    }
  }

  /// Without -shm, which SQLite makes anew.
  private static let suffixes = [""] + SideFile.withRows.map(\.suffix)

  private static func status(of file: DatabaseFile) throws -> [FileStatus?] {
    try suffixes.map { try FileStatus(path: file.path + $0) }
  }

  private func check(_ status: [FileStatus?], of file: DatabaseFile, limit: Int) throws {
    guard let database = status[0] else { throw CaptureError.missing(file.name) }
    guard database.kind == .regular, status.allSatisfy({ $0.map { $0.kind == .regular } ?? true }) else {
      throw CaptureError.notADatabase(file.name, "not a regular file")
    }
    let bytes = FileSystem.sum(status.map { $0?.bytes ?? 0 })
    guard bytes <= limit else { throw CaptureError.overBudget(file.name, bytes: bytes, limit: limit) }
  }

  private func removeAll() throws {
    for suffix in Self.suffixes where try FileStatus(path: database + suffix) != nil {
      try folder.remove("database" + suffix)
    }
  }
}

extension DatabaseCapturer {
  package func captureLeft(
    at path: String, named name: String, into folder: String
  ) -> DatabaseCaptureResult {
    var result = DatabaseCaptureResult()
    do {
      guard let real = FileSystem.realPath(path) else { throw CaptureError.missing(path) }
      let file = DatabaseFile(path: real)
      let copies = try LeftFiles(of: file, in: folder, limits: limits)
      var copy = DatabaseFile(path: copies.database)
      copy.original = file.path
      result = withExtendedLifetime(copies) { capture(.file(copy), named: name, into: folder) }
      for index in result.files.indices where result.files[index].isDatabase {
        result.files[index].capture.method = .postMortem
      }
    } catch {
      result.failures.append(CaptureError(error))
    }
    return result
  }
}
