package import ExhibitSQLite
import ExhibitSystem

/// A database to be captured.
package enum DatabaseSource: Sendable {
  case file(DatabaseFile)
  /// A database without a file: in memory, temporary, or of the `memdb` VFS.
  case inMemory(LiveConnection)

  /// How many bytes it has, as far as that can be told now.
  package func bytes(until deadline: ContinuousClock.Instant, image: SQLiteImage) -> Int {
    switch self {
    case .file(let file):
      // What cannot be looked at cannot be captured either, which says why.
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

/// A database file and what this process has to do with it.
package struct DatabaseFile: Sendable {
  /// An absolute path.
  package var path: String
  /// The VFS the connections were opened with; `nil` for SQLite's default.
  package var vfs: String?
  /// Every connection of this process to the file that is known, no matter whose.
  package var connections: [LiveConnection]
  /// Where the files lay before they were copied to `path`: what messages name and whose times count.
  var original: String?

  package init(path: String, vfs: String? = nil, connections: [LiveConnection] = []) {
    self.path = path
    self.vfs = vfs
    self.connections = connections
  }

  /// What messages call it.
  var name: String { original ?? path }

  var wal: String { SideFile.wal.path(beside: path) }
  var sharedMemory: String { SideFile.sharedMemory.path(beside: path) }
  var journal: String { SideFile.journal.path(beside: path) }
  /// The files in which a database is read.
  var paths: [String] { [path, wal, journal] }

  /// The connections whose uncommitted rows are evidence.
  var connectionsOfFailedTest: [LiveConnection] { connections.filter(\.belongsToFailedTest) }
}
