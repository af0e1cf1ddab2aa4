import Collector

struct BaselineState: Sendable {
  enum Content: Sendable {
    case empty
    case memory(DatabaseImage)
    /// An unlinked copy, which ends with this value or the process.
    case disk(HeldFile)
    case large
    case lost(reason: String)
  }

  var storage: OpenDatabase.Storage
  var connection: Int
  var content: Content
  var size: Int

  /// The most bytes that a passing test copies.
  static let limit = 4 << 20

  init(lost storage: OpenDatabase.Storage, connection: Int, reason: String) {
    self.storage = storage
    self.connection = connection
    (content, size) = (.lost(reason: reason), 0)
  }

  /// `nil` when SQLite cannot identify the database.
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
