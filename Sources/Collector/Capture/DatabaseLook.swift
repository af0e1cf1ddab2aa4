import ExhibitSQLite
import ExhibitSystem
import Glibc

package struct DatabaseLook {
  /// Links resolved: SQLite puts -wal and -journal beside the real file.
  let file: DatabaseFile
  let situation: DatabaseSituation

  init(at file: DatabaseFile, _ context: CaptureContext) throws {
    var situation = DatabaseSituation()
    situation.hasConnections = !file.connections.isEmpty
    situation.hasConnectionsOfFailedTest = !file.connectionsOfFailedTest.isEmpty
    guard let path = FileSystem.realPath(file.path), let status = try FileStatus(path: path) else {
      (self.file, self.situation) = (file, situation)
      return
    }
    var resolved = file
    resolved.path = path
    situation.file = status.kind == .regular ? .file : .noRegularFile
    situation.bytes = status.bytes
    situation.isOpenHere = status.kind == .regular && OpenDescriptors.first(of: status.identity) != nil
    // A file that only another copy of SQLite has open must not be opened.
    let mayBeRead = situation.isOpenHere ? situation.hasConnections : !situation.hasConnectionsOfFailedTest
    if situation.file == .file, mayBeRead { try Self.lookInside(resolved, context, &situation) }
    (self.file, self.situation) = (resolved, situation)
  }

  private static func lookInside(
    _ file: DatabaseFile, _ context: CaptureContext, _ situation: inout DatabaseSituation
  ) throws {
    situation.walBytes = try FileStatus(path: file.wal)?.bytes ?? 0
    situation.hasSharedMemory = try FileStatus(path: file.sharedMemory) != nil
    if situation.isOpenHere, !situation.hasSharedMemory {
      situation.isWALOpenHere = try OpenDescriptors.hold(file.wal)
    }
    if situation.bytes > 0 {
      situation.mode = try context.header(of: file).map { $0.isWAL ? .wal : .rollback }
    }
    situation.journal = try journal(at: file.journal)
  }

  package static func journal(at path: String) throws -> DatabaseSituation.Journal {
    guard let status = try FileStatus(path: path) else { return .none }
    guard status.bytes > 0 else { return .spent }
    do {
      return try InputFile(path: path).prefix(1) == [0] ? .spent : .hot
    } catch let error as SystemError where error.code == ENOENT {
      return .none
    }
  }
}
