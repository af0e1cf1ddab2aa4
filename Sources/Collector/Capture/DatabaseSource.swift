package import ExhibitSQLite
import ExhibitSystem

/// A database to capture.
package enum DatabaseSource: Sendable {
  case file(DatabaseFile)
  /// A database without a file: in memory, temporary, or of the `memdb` VFS.
  case inMemory(LiveConnection)

  /// The bytes of the database, as far as they can be known now.
  package func bytes(until deadline: ContinuousClock.Instant, image: SQLiteImage) -> Int {
    switch self {
    case .file(let file):
      // Files without a readable status cannot be captured either, and the capture says why.
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

/// A database file with its connections in this process.
package struct DatabaseFile: Sendable {
  /// An absolute path.
  package var path: String
  /// The VFS the connections were opened with; `nil` for SQLite's default.
  package var vfs: String?
  /// All known connections of this process to the file, of any test.
  package var connections: [LiveConnection]
  /// The path before the files were copied to `path`; messages name it, and its times count.
  var original: String?

  package init(path: String, vfs: String? = nil, connections: [LiveConnection] = []) {
    self.path = path
    self.vfs = vfs
    self.connections = connections
  }

  /// The name in messages.
  var name: String { original ?? path }

  var wal: String { SideFile.wal.path(beside: path) }
  var sharedMemory: String { SideFile.sharedMemory.path(beside: path) }
  var journal: String { SideFile.journal.path(beside: path) }
  /// The files that make up a database.
  var paths: [String] { [path, wal, journal] }

  /// The connections whose uncommitted rows are evidence.
  var connectionsOfFailedTest: [LiveConnection] { connections.filter(\.belongsToFailedTest) }
}
