import Collector
import ExhibitSQLite

struct DatabaseSelection {
  let test: Ownership.Test?
  let isAlone: Bool

  func databases(of connection: AppConnection, until deadline: ContinuousClock.Instant) -> [OpenDatabase] {
    let isOwn = test.map { connection.ownership().isOwned(by: $0, isAlone: isAlone) } ?? false
    let deadline = isOwn ? deadline : .now
    return connection.ask(until: deadline) { databases(of: connection, $0, isOwn: isOwn) }
      ?? unasked(connection, isOwn: isOwn)
  }

  private func databases(of connection: AppConnection, _ db: OpaquePointer, isOwn: Bool) -> [OpenDatabase] {
    schemaNames(of: db).compactMap { schema in
      guard let storage = OpenDatabase.Storage(schema: schema, on: db) else { return nil }
      let use = OpenDatabase.Use(connection: connection, schema: schema, isOwn: isOwn)
      let path = filePath(of: schema, on: db)
      guard case .file = storage else {
        return OpenDatabase(storage: storage, deletedPath: path, uses: [use])
      }
      return OpenDatabase(storage: storage, path: path, vfs: vfsName(of: schema, on: db), uses: [use])
    }
  }

  /// The main database of a busy connection, which cannot be asked for others.
  private func unasked(_ connection: AppConnection, isOwn: Bool) -> [OpenDatabase] {
    let use = OpenDatabase.Use(connection: connection, schema: "main", isOwn: isOwn)
    if let path = connection.path {
      return OpenDatabase.Storage(path: path).map {
        [OpenDatabase(storage: $0, path: path, vfs: connection.vfs, uses: [use], isUnasked: true)]
      } ?? []
    }
    let storage = OpenDatabase.Storage.memory(file: connection.address)
    return connection.hasEnded ? [] : [OpenDatabase(storage: storage, uses: [use], isUnasked: true)]
  }
}
