import Collector

/// A connection that the user named, even after another reuses its address.
final class ConnectionReference: Sendable {
  typealias Lending = @Sendable (ContinuousClock.Instant, (OpaquePointer) -> Void) -> LiveConnection.Access

  let connection: AppConnection?
  let storage: OpenDatabase.Storage?
  let lending: Lending?

  /// Finds the connection, or adds it with `EXHIBIT_CAPTURE=registered`.
  init(
    _ db: OpaquePointer, in registry: ConnectionRegistry?, opener: Ownership.Opener, lending: Lending? = nil
  ) {
    self.lending = lending
    storage = OpenDatabase.Storage(schema: "main", on: db)
    connection = registry?[UInt(bitPattern: db)] ?? registry?.add(db, opener: opener, isNew: false)
  }

  var defaultName: String {
    guard let connection else { return "database" }
    let file = connection.path?.split(separator: "/").last.map(String.init)
    return file ?? "in-memory"
  }
}
