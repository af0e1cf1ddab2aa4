import Collector
import ExhibitSQLite
import ExhibitSystem

/// Decides which of the open databases are a failing test's.
struct DatabaseSelection {
  /// `nil` where it is no matter whose a database is.
  let test: Ownership.Test?
  /// Whether no other test runs.
  let isAlone: Bool

  /// What one connection has open.
  func databases(of connection: AppConnection, until deadline: ContinuousClock.Instant) -> [OpenDatabase] {
    let isOwn = test.map { connection.ownership().isOwned(by: $0, isAlone: isAlone) } ?? false
    // Nobody waits for what another test does.
    let deadline = isOwn ? deadline : .now
    guard let named = connection.ask(until: deadline, { db in attachedDatabases(of: db) }) else {
      return unasked(connection, isOwn: isOwn)
    }
    return named.compactMap { entry in
      let use = OpenDatabase.Use(connection: connection, schema: entry.schema, isOwn: isOwn)
      guard let storage = entry.storage else { return nil }
      guard case .file = storage else {
        return OpenDatabase(storage: storage, deletedPath: entry.path, uses: [use])
      }
      return OpenDatabase(storage: storage, path: entry.path, vfs: entry.vfs, uses: [use])
    }
  }

  /// What a connection that stays busy was opened with; what it has attached is not known.
  private func unasked(_ connection: AppConnection, isOwn: Bool) -> [OpenDatabase] {
    let use = OpenDatabase.Use(connection: connection, schema: "main", isOwn: isOwn)
    if let path = connection.path {
      return OpenDatabase.Storage(path: path).map {
        [OpenDatabase(storage: $0, path: path, vfs: connection.vfs, uses: [use], isUnasked: true)]
      } ?? []
    }
    // The connection's address stands for that of what it has in place of a file.
    let storage = OpenDatabase.Storage.memory(file: connection.address)
    return connection.hasEnded ? [] : [OpenDatabase(storage: storage, uses: [use], isUnasked: true)]
  }
}

private struct AttachedDatabase {
  var schema: String
  var storage: OpenDatabase.Storage?
  var path: String?
  var vfs: String?
}

private func attachedDatabases(of db: OpaquePointer) -> [AttachedDatabase] {
  schemaNames(of: db).map { schema in
    AttachedDatabase(
      schema: schema, storage: OpenDatabase.Storage(schema: schema, on: db),
      path: filePath(of: schema, on: db),
      vfs: vfsName(of: schema, on: db))
  }
}
