/// What a reader sees of a captured database without opening it.
struct DatabaseInspection: Sendable, Equatable {
  var pageSize: Int
  var pages = 0
  /// Pages that hold nothing any more.
  var freePages = 0
  var encoding: String
  var userVersion: Int
  /// `ok`, or the first lines of what `quick_check` found.
  var check: String
  var tables: [Table]
  /// Schema objects that are no tables: indexes, views, triggers.
  var otherSchema: [SchemaEntry]
  var foreignKeys = ForeignKeyCheck()
  /// What could not be read, in sentences for the reader.
  var problems: [String]
  /// Whether the time was over before all was read, so that another machine may show more.
  var isCutByTime = false

  struct SchemaEntry: Sendable, Equatable {
    var type: String
    var name: String
    /// Whose index or trigger it is; of a table or view its own name.
    var table = ""
    var sql: String?
    /// Tells statements apart whose literals were taken out; `nil` of a whole one.
    var withheld: Int?
  }

  struct Table: Sendable, Equatable {
    enum Kind: String, Sendable {
      case ordinary, virtual
      /// Holds the data of a virtual table.
      case shadow
    }

    var name: String
    var kind: Kind = .ordinary
    var sql: String?
    /// As of `SchemaEntry`.
    var withheld: Int?
    var columns: [String]
    /// As the schema declares them; empty for a column without a type.
    var types: [String] = []
    /// How many columns there are beyond those that are shown.
    var omittedColumns = 0
    /// `nil` when it could not be counted.
    var rowCount: Int?
    /// The first rows, at most 50, in the table's own order.
    var rows: [[Cell]]
    /// The bytes of texts that are no UTF-8, which `rows` has with U+FFFD in them.
    var undecoded: [Place: [UInt8]] = [:]
    /// Why rows are missing, in a sentence for the reader.
    var problem: String?

    /// Indices into `rows`, and into the row.
    struct Place: Sendable, Hashable {
      var row: Int
      var column: Int
    }
  }

  /// One value as it is shown; long ones are cut, and say how long they were.
  enum Cell: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    /// The text shown and the length of the whole in bytes, when it was cut.
    case text(String, cutFrom: Int?)
    /// The first bytes and the length of the whole.
    case blob([UInt8], bytes: Int)
  }
}

extension DatabaseInspection {
  /// The check as a reader needs it named: SQLite leaves CHECK constraints out where a database is read-only.
  var checkName: String {
    let hasConstraint = tables.contains { table in
      SQLToken.all(in: table.sql ?? "").contains { $0.folded == "CHECK" }
    }
    return hasConstraint ? "quick_check without CHECK constraints" : "quick_check"
  }
}

extension DatabaseInspection.Cell {
  /// The length of the whole text or blob.
  var byteCount: Int {
    switch self {
    case .text(let text, let whole): whole ?? text.utf8.count
    case .blob(_, let count): count
    case .null, .integer, .real: 0
    }
  }

  /// Whether it does not show the whole value.
  var isCut: Bool {
    switch self {
    case .text(_, let whole): whole != nil
    case .blob(let bytes, let count): bytes.count < count
    case .null, .integer, .real: false
    }
  }
}
