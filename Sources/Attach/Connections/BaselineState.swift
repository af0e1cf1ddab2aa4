import Collector

/// The content of a database when its test began.
struct BaselineState: Sendable {
  enum Content: Sendable {
    case empty
    case memory(DatabaseImage)
    /// A copy on disk without a name; it disappears with this value or with the process.
    case disk(HeldFile)
    /// Larger than the limit, and not copied yet.
    case large
    case lost(reason: String)
  }

  var storage: OpenDatabase.Storage
  /// The number of the connection that it was read from.
  var connection: Int
  var content: Content
  /// Bytes.
  var size: Int

  /// Bytes up to which a state is kept in memory: the most that a passing test spends on copying.
  static let limit = 4 << 20

  init(lost storage: OpenDatabase.Storage, connection: Int, reason: String) {
    self.storage = storage
    self.connection = connection
    (content, size) = (.lost(reason: reason), 0)
  }

  /// Reads a database through a connection that nobody else uses meanwhile; `nil` when SQLite cannot identify it.
  init?(_ schema: String, on db: OpaquePointer, connection: Int) {
    guard let storage = OpenDatabase.Storage(schema: schema, on: db) else { return nil }
    self.storage = storage
    self.connection = connection
    (content, size) =
      switch DatabaseImage.read(schema, on: db, limit: Self.limit, image: .ownConnections) {
      case .empty: (.empty, 0)
      case .image(let image): (.memory(image), image.count)
      case .tooLarge(let bytes): (.large, bytes)
      case .failed(let error): (.lost(reason: error.message), 0)
      }
  }
}
