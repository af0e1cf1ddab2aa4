import ExhibitCSQLite

@testable import ReportExperiments

/// A database in memory on which variants are prepared and run.
final class MemoryDatabase {
  private var handle: OpaquePointer?

  init(_ schema: [String] = []) throws {
    try Self.check(sqlite3_open(":memory:", &handle), handle)
    for sql in schema { try run(sql) }
  }

  deinit { sqlite3_close(handle) }

  /// What SQLite says of a statement that it does not take.
  struct Refusal: Error { var message: String }

  private static func check(_ code: Int32, _ handle: OpaquePointer?) throws {
    guard code != SQLITE_OK else { return }
    throw Refusal(message: String(cString: sqlite3_errmsg(handle)))
  }

  private func prepared(_ sql: String) throws -> OpaquePointer? {
    var statement: OpaquePointer?
    try Self.check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil), handle)
    return statement
  }

  /// The parameters and columns of a statement.
  struct Form: Equatable {
    var parameters: [String?]
    var columns: [String]
    /// The statement with `'p1'`, `'p2'` and so on in the place of its parameters.
    var expanded: String
  }

  func form(of sql: String) throws -> Form {
    let statement = try prepared(sql)
    defer { sqlite3_finalize(statement) }
    let count = sqlite3_bind_parameter_count(statement)
    let parameters = (0..<count).map {
      sqlite3_bind_parameter_name(statement, $0 + 1).map { String(cString: $0) }
    }
    for index in 0..<count {
      let text = "p\(index + 1)"
      exhibit_bind_text(statement, index + 1, text, Int32(text.utf8.count))
    }
    let columns = (0..<sqlite3_column_count(statement)).map {
      String(cString: sqlite3_column_name(statement, $0))
    }
    let expanded = sqlite3_expanded_sql(statement)
    defer { sqlite3_free(expanded) }
    return Form(
      parameters: parameters, columns: columns, expanded: expanded.map { String(cString: $0) } ?? "")
  }

  /// The rows of a statement, each value as a text.
  @discardableResult func run(_ sql: String, _ values: [String] = []) throws -> [[String?]] {
    let statement = try prepared(sql)
    defer { sqlite3_finalize(statement) }
    for (index, value) in values.enumerated() {
      exhibit_bind_text(statement, Int32(index + 1), value, Int32(value.utf8.count))
    }
    var rows: [[String?]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rows.append(
          (0..<sqlite3_column_count(statement)).map {
            sqlite3_column_text(statement, $0).map { String(cString: $0) }
          })
      case SQLITE_DONE: return rows
      default: throw Refusal(message: String(cString: sqlite3_errmsg(handle)))
      }
    }
  }

  /// The context that this database makes, with some statements.
  func context(_ statements: [String] = []) throws -> OperatorContext {
    var tables: [String: [OperatorContext.Column]] = [:]
    for row in try run("SELECT name FROM sqlite_master WHERE type = 'table'") {
      guard let name = row[0] else { continue }
      tables[name.lowercased()] = try run("PRAGMA table_info(\"\(name)\")").map { column in
        let type = (column[2] ?? "").uppercased()
        return OperatorContext.Column(
          name: column[1] ?? "", isNumeric: type.contains("INT") || type.contains("REAL"),
          isKey: column[5] != "0",
          collectsTexts: type.contains("TEXT"))
      }
    }
    return OperatorContext(tables: tables, statements: statements)
  }
}
