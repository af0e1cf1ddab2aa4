import ExhibitCSQLite
package import ExhibitSQLite

/// A place with a history: a file, or a server.
package protocol HistoryStore: Sendable {
  /// The same, with all the time that a work on it may take.
  var renewed: Self { get }
  /// The name in messages.
  var name: String { get }
  /// True when there may be a history.
  var exists: Bool { get }
  /// The most runs removed in one transaction.
  var mostRunsAtOnce: Int { get }

  /// Lends a connection in a transaction that reads one state.
  func read<Answer>(_ body: (any HistoryConnection) throws -> Answer) throws(HistoryError) -> Answer

  /// Provides a connection in a write transaction and commits it.
  ///
  /// - Parameters:
  ///   - isMaking: True to create a missing history.
  ///   - body: Returns `nil` to roll back. It runs again after a conflict.
  func write<Answer>(isMaking: Bool, _ body: (any HistoryConnection) throws -> Answer?) throws(HistoryError)
    -> Answer?

  func shrink() throws(HistoryError)
}

/// A connection that takes the SQL common to SQLite and PostgreSQL.
package protocol HistoryConnection {
  /// Runs a statement with values for its question marks.
  func rows(_ sql: String, _ values: [HistoryValue]) throws -> any HistoryRows
  /// Locks out other processes that add passes, until the transaction ends.
  func keepPassesFromOthers() throws
}

/// Result rows, read one after another.
package protocol HistoryRows: AnyObject {
  func step() throws -> Bool
  func isNull(at column: Int32) -> Bool
  func integer(at column: Int32) -> Int64
  func real(at column: Int32) -> Double
  /// A text of at most `limit` bytes; `nil` for NULL.
  func text(at column: Int32, limit: Int) -> String?
  func blob(at column: Int32) -> [UInt8]
}

package enum HistoryValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  package init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  package init(_ real: Double?) { self = real.map { .real($0) } ?? .null }
  package init(_ flag: Bool?) { self = flag.map { .integer($0 ? 1 : 0) } ?? .null }

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

  func integers(_ sql: String, _ values: HistoryValue...) throws -> [Int64] {
    try all(sql, values) { $0.integer(at: 0) }
  }

  func all<Part>(
    _ sql: String, _ values: [HistoryValue] = [], of part: (any HistoryRows) -> Part
  ) throws -> [Part] {
    let rows = try rows(sql, values)
    var all: [Part] = []
    while try rows.step() { all.append(part(rows)) }
    return all
  }

  /// Reads a value from each row with one of the ids.
  ///
  /// - Parameters:
  ///   - sql: A query that ends before `IN`.
  ///   - column: The column of the id.
  func all<Part>(
    of ids: Set<Int64>, _ sql: String, at column: Int32 = 0, _ part: (any HistoryRows) -> Part
  ) throws -> [Int64: Part] {
    guard !ids.isEmpty else { return [:] }
    let parts = try all("\(sql) IN (\(list(ids)))") { ($0.integer(at: column), part($0)) }
    return Dictionary(parts) { $1 }
  }

  func idOfRun(_ key: String) throws -> Int64? {
    try integers("SELECT id FROM runs WHERE key = ?", .text(key)).first
  }

  /// Inserts rows in batches, since each statement is a round trip.
  ///
  /// - Parameters:
  ///   - table: The table with its columns.
  ///   - ending: SQL after the values.
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

  /// Queries for many texts in batches.
  ///
  /// - Parameters:
  ///   - sql: Makes a query around the list of an `IN (…)`.
  ///   - others: Values after that list.
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

func list(_ ids: Set<Int64>) -> String { ids.sorted().map(String.init).joined(separator: ", ") }

/// Limits of one statement.
enum HistoryBatch {
  /// With six columns still below the parameter limits of PostgreSQL and SQLite.
  static let most = 2000
  static let mostBytes = 8 << 20
}

extension HistoryRows {
  /// A text, truncated to the longest kept.
  package func shortText(at column: Int32) -> String? {
    text(at: column, limit: HistoryFile.mostTextBytes)
  }

  /// A count, limited since the history may be hostile and counts are added.
  func count(at column: Int32) -> Int { Int(min(max(integer(at: column), 0), 1_000_000_000)) }

  package func optionalReal(at column: Int32) -> Double? { isNull(at: column) ? nil : real(at: column) }

  package func optionalInteger(at column: Int32) -> Int64? {
    isNull(at: column) ? nil : integer(at: column)
  }
}

// MARK: - SQLite

extension SQLiteHandle: HistoryConnection {
  package func keepPassesFromOthers() {}

  package func rows(_ sql: String, _ values: [HistoryValue]) throws -> any HistoryRows {
    guard let statement = try SQLiteStatement(sql, on: self) else {
      // An empty statement would be our bug.
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
