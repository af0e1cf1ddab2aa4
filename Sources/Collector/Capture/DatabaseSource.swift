package import ExhibitSQLite
import ExhibitSystem

package enum DatabaseSource: Sendable {
  case file(DatabaseFile)
  /// In memory, temporary, or of the VFS `memdb`.
  case inMemory(LiveConnection)

  package func bytes(until deadline: ContinuousClock.Instant, image: SQLiteImage) -> Int {
    switch self {
    case .file(let file):
      let files = [try? FileStatus(path: file.path), try? FileStatus(path: file.wal)]
      return files.reduce(0) { $0 + ($1?.bytes ?? 0) }
    case .inMemory(let connection):
      let use = try? connection.use(path: "", until: deadline) {
        try $0.imageBytes(connection.schema, image: image)
      }
      if case .done(let bytes) = use { return bytes }
      return 0
    }
  }
}

package struct DatabaseFile: Sendable {
  package var path: String
  /// `nil` for SQLite's default.
  package var vfs: String?
  package var connections: [LiveConnection]
  /// Where a copied file was, for messages.
  var original: String?

  package init(path: String, vfs: String? = nil, connections: [LiveConnection] = []) {
    self.path = path
    self.vfs = vfs
    self.connections = connections
  }

  var name: String { original ?? path }

  var wal: String { SideFile.wal.path(beside: path) }
  var sharedMemory: String { SideFile.sharedMemory.path(beside: path) }
  var journal: String { SideFile.journal.path(beside: path) }
  var paths: [String] { [path, wal, journal] }

  var connectionsOfFailedTest: [LiveConnection] { connections.filter(\.belongsToFailedTest) }
}
