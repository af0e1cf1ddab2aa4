import ExhibitCSQLite
package import ExhibitSQLite

/// A place with a history: a file, or a server.
package protocol HistoryStore: Sendable {
  /// The same, with all the time that a work on it may take.
  var renewed: Self { get }
  /// The name in messages.
  var name: String { get }
  /// True when there may be a history already, so that it is worth asking.
  var exists: Bool { get }
  /// The most runs that are removed in one transaction.
  var mostRunsAtOnce: Int { get }

  /// Lends a connection in a transaction that reads one state.
  func read<Answer>(_ body: (any HistoryConnection) throws -> Answer) throws(HistoryError) -> Answer

  /// Lends a connection in a transaction that loses nothing to others, and commits it.
  ///
  /// - Parameters:
  ///   - isMaking: True to make a history that is not there.
  ///   - body: Returns `nil` to take back what it did. It runs once more where another process was in its way.
  func write<Answer>(isMaking: Bool, _ body: (any HistoryConnection) throws -> Answer?) throws(HistoryError)
    -> Answer?

  /// Gives the space of removed rows back to the system.
  func shrink() throws(HistoryError)
}

/// A connection to a history, which speaks the SQL that SQLite and PostgreSQL have in common.
package protocol HistoryConnection {
  /// Runs a statement, with values for its question marks.
  func rows(_ sql: String, _ values: [HistoryValue]) throws -> any HistoryRows
  /// Waits until no other process adds passes, and keeps others waiting until the transaction ends.
  func keepPassesFromOthers() throws
}

/// The rows of an answer, one after the other; those of SQLite are found while they are read.
package protocol HistoryRows: AnyObject {
  /// Goes to the next row.
  ///
  /// - Returns: False behind the last row.
  func step() throws -> Bool
  func isNull(at column: Int32) -> Bool
  func integer(at column: Int32) -> Int64
  func real(at column: Int32) -> Double
  /// Reads no more than `limit` bytes of a text; `nil` for NULL.
  func text(at column: Int32, limit: Int) -> String?
  func blob(at column: Int32) -> [UInt8]
}

/// A value that a statement is given.
package enum HistoryValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  package init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  package init(_ real: Double?) { self = real.map { .real($0) } ?? .null }
  package init(_ flag: Bool?) { self = flag.map { .integer($0 ? 1 : 0) } ?? .null }

  /// About how many bytes a statement takes for it.
  fileprivate var size: Int {
    switch self {
    case .null, .integer, .real: 8
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    }
  }
}

extension HistoryConnection {
  package func rows(_ sql: String, _ values: HistoryValue...) throws -> any HistoryRows {
    try rows(sql, values)
  }

  func execute(_ sql: String, _ values: HistoryValue...) throws {
    let rows = try rows(sql, values)
    while try rows.step() {}
  }

  /// The first column of each row.
  func integers(_ sql: String, _ values: HistoryValue...) throws -> [Int64] {
    try all(sql, values) { $0.integer(at: 0) }
  }

  /// Reads a value from each row.
  func all<Part>(
    _ sql: String, _ values: [HistoryValue] = [], of part: (any HistoryRows) -> Part
  ) throws -> [Part] {
    let rows = try rows(sql, values)
    var all: [Part] = []
    while try rows.step() { all.append(part(rows)) }
    return all
  }

  /// Reads a value from each row with one of some numbers, by number.
  ///
  /// - Parameters:
  ///   - sql: The question without the numbers, which stand at its end.
  ///   - column: That of the number.
  func all<Part>(
    of ids: Set<Int64>, _ sql: String, at column: Int32 = 0, _ part: (any HistoryRows) -> Part
  ) throws -> [Int64: Part] {
    guard !ids.isEmpty else { return [:] }
    let parts = try all("\(sql) IN (\(list(ids)))") { ($0.integer(at: column), part($0)) }
    return Dictionary(parts) { $1 }
  }

  /// The number of a run; `nil` where there is none with this key.
  func idOfRun(_ key: String) throws -> Int64? {
    try integers("SELECT id FROM runs WHERE key = ?", .text(key)).first
  }

  /// Inserts rows, many with one statement: each statement is a way to a server and back.
  ///
  /// - Parameters:
  ///   - table: The table with its columns.
  ///   - ending: The SQL behind the values.
  func insert(_ table: String, _ rows: [[HistoryValue]], _ ending: String = "") throws {
    var rest = rows[...]
    while let first = rest.first {
      var bytes = 0
      let batch = rest.prefix(HistoryBatch.most).prefix { row in
        bytes += row.reduce(0) { $0 + $1.size }
        return bytes <= HistoryBatch.mostBytes
      }
      let taken = rest.prefix(max(1, batch.count))
      rest = rest.dropFirst(taken.count)
      let row = "(" + Array(repeating: "?", count: first.count).joined(separator: ", ") + ")"
      let all = Array(repeating: row, count: taken.count).joined(separator: ", ")
      let answer = try self.rows("INSERT INTO \(table) VALUES \(all) \(ending)", Array(taken.joined()))
      while try answer.step() {}
    }
  }

  /// Asks for many texts, some with each statement.
  ///
  /// - Parameters:
  ///   - sql: Makes the question of what stands in the parentheses of an `IN (…)`.
  ///   - others: The values behind it.
  ///   - body: Gets each row.
  func each(
    _ texts: [String], _ sql: (String) -> String, _ others: [HistoryValue] = [],
    _ body: (any HistoryRows) throws -> Void
  ) throws {
    var rest = texts[...]
    while !rest.isEmpty {
      let batch = rest.prefix(HistoryBatch.most)
      rest = rest.dropFirst(batch.count)
      let marks = Array(repeating: "?", count: batch.count).joined(separator: ", ")
      let rows = try rows(sql(marks), batch.map { .text($0) } + others)
      while try rows.step() { try body(rows) }
    }
  }
}

/// Numbers of rows as what stands in the parentheses of an `IN (…)`.
func list(_ ids: Set<Int64>) -> String { ids.sorted().map(String.init).joined(separator: ", ") }

/// The most that one statement is given.
enum HistoryBatch {
  /// Rows or texts.
  ///
  /// With six columns these are fewer values than PostgreSQL and SQLite take.
  static let most = 2000
  static let mostBytes = 8 << 20
}

extension HistoryRows {
  /// A text as long as one that is kept; what is longer is cut.
  package func shortText(at column: Int32) -> String? {
    text(at: column, limit: HistoryFile.mostTextBytes)
  }

  /// A number of tests: what is from elsewhere may say anything, and counts are added up.
  func count(at column: Int32) -> Int { Int(min(max(integer(at: column), 0), 1_000_000_000)) }

  package func optionalReal(at column: Int32) -> Double? { isNull(at: column) ? nil : real(at: column) }

  package func optionalInteger(at column: Int32) -> Int64? {
    isNull(at: column) ? nil : integer(at: column)
  }
}

// MARK: - SQLite

extension SQLiteHandle: HistoryConnection {
  /// Only one transaction writes to a file.
  package func keepPassesFromOthers() {}

  package func rows(_ sql: String, _ values: [HistoryValue]) throws -> any HistoryRows {
    guard let statement = try SQLiteStatement(sql, on: self) else {
      // That it has none is a mistake of ours.
      throw SQLiteError(SQLITE_MISUSE, "run \(sql)", path: path)
    }
    for (index, value) in values.enumerated() {
      let index = Int32(index + 1)
      switch value {
      case .null: try statement.bindNull(at: index)
      case .integer(let integer): try statement.bind(integer, at: index)
      case .real(let real): try statement.bind(real, at: index)
      case .text(let text): try statement.bind(text, at: index)
      case .blob(let bytes): try bytes.withUnsafeBytes { try statement.bind($0, at: index) }
      }
    }
    return statement
  }
}

extension SQLiteStatement: HistoryRows {
  package func isNull(at column: Int32) -> Bool { type(at: column) == SQLITE_NULL }

  package func text(at column: Int32, limit: Int) -> String? {
    utf8(at: column).map { String(decoding: $0.prefix(limit), as: UTF8.self) }
  }

  package func blob(at column: Int32) -> [UInt8] { Array(bytes(at: column)) }
}
