import Collector
import ExhibitSQLite

/// Decides which open databases belong to a failing test.
struct DatabaseSelection {
  /// `nil` when the owner does not matter.
  let test: Ownership.Test?
  /// True when no other test runs.
  let isAlone: Bool

  func databases(of connection: AppConnection, until deadline: ContinuousClock.Instant) -> [OpenDatabase] {
    let isOwn = test.map { connection.ownership().isOwned(by: $0, isAlone: isAlone) } ?? false
    // Another test's connection is not waited for.
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

  /// The database that a busy connection was opened with; its attached ones are unknown.
  private func unasked(_ connection: AppConnection, isOwn: Bool) -> [OpenDatabase] {
    let use = OpenDatabase.Use(connection: connection, schema: "main", isOwn: isOwn)
    if let path = connection.path {
      return OpenDatabase.Storage(path: path).map {
        [OpenDatabase(storage: $0, path: path, vfs: connection.vfs, uses: [use], isUnasked: true)]
      } ?? []
    }
    // The connection's address stands for the address of its in-memory file.
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
