import Collector

/// A connection that the user named, recognised only as long as it is the same connection.
final class ConnectionReference: Sendable {
  typealias Lending = @Sendable (ContinuousClock.Instant, (OpaquePointer) -> Void) -> LiveConnection.Access

  let connection: AppConnection?
  /// Its main database.
  let storage: OpenDatabase.Storage?
  /// The owner's own way of lending it, if there is one.
  let lending: Lending?

  /// Finds the connection, or adds it when connections are not watched (`EXHIBIT_CAPTURE=registered`).
  ///
  /// It is called where the connection may be used.
  ///
  /// - Parameter registry: `nil` where nothing is captured and so nothing is watched.
  init(
    _ db: OpaquePointer, in registry: ConnectionRegistry?, opener: Ownership.Opener, lending: Lending? = nil
  ) {
    self.lending = lending
    storage = OpenDatabase.Storage(schema: "main", on: db)
    connection = registry?[UInt(bitPattern: db)] ?? registry?.add(db, opener: opener, isNew: false)
  }

  /// The name of the main database's file, or a name for a database in memory.
  var defaultName: String {
    guard let connection else { return "database" }
    let file = connection.path?.split(separator: "/").last.map(String.init)
    return file ?? "in-memory"
  }
}
