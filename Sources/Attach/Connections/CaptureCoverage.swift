/// The databases that a failing test's capture has handled.
struct CaptureCoverage: Sendable {
  var storages: Set<OpenDatabase.Storage> = []
  private(set) var paths: Set<String> = []
  private var uses: Set<Use> = []

  private struct Use: Hashable {
    var connection: Int
    var schema: String
  }

  init(storages: Set<OpenDatabase.Storage> = []) {
    self.storages = storages
  }

  init(_ database: OpenDatabase) {
    storages = [database.storage]
    paths = Set([database.path, database.deletedPath].compactMap { $0 })
    uses = Set(database.uses.map { Use(connection: $0.connection.number, schema: $0.schema) })
  }

  init(_ database: HeldDatabase) {
    storages = database.storage.map { [$0] } ?? []
    paths = database.path.map { [$0] } ?? []
    uses = [Use(connection: database.connection, schema: database.schema)]
  }

  var connections: Set<Int> { Set(uses.map(\.connection)) }

  func contains(_ connection: Int, _ schema: String) -> Bool {
    uses.contains(Use(connection: connection, schema: schema))
  }

  mutating func formUnion(_ other: CaptureCoverage) {
    storages.formUnion(other.storages)
    paths.formUnion(other.paths)
    uses.formUnion(other.uses)
  }
}
