import GRDB

/// A color with a name.
package struct Color: Codable, Equatable, Sendable, FetchableRecord, MutablePersistableRecord {
  package var id: Int64?
  package var name: String
  /// Six hexadecimal digits.
  package var hex: String

  package init(name: String, hex: String) {
    self.name = name
    self.hex = hex
  }

  package mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// Makes and deletes colors; it needs a connection, not the stack.
package struct ColorManager: Sendable {
  private let connection: any DatabaseWriter

  package init(_ connection: any DatabaseWriter) {
    self.connection = connection
  }

  package func create(_ name: String, hex: String) throws -> Color {
    try connection.write { db in
      var color = Color(name: name, hex: hex)
      try color.insert(db)
      return color
    }
  }

  /// - Returns: `false` when it was deleted already.
  @discardableResult
  package func delete(_ color: Color) throws -> Bool {
    try connection.write { try Color.filter(Column("hex") == color.hex).deleteAll($0) > 0 }
  }
}
