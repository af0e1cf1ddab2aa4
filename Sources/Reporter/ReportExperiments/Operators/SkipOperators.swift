import ReportModel

/// Operators that disable statements or turn around transactions.
enum SkipOperators {
  static let all = [
    StatementOperator(
      "skipped", "a write that finds no row, a schema's change that is not made", source: .clauses,
      likelihood: .rare,
      changes: skips),
    StatementOperator(
      "transaction", "COMMIT for ROLLBACK and the reverse, BEGIN IMMEDIATE, without BEGIN and SAVEPOINT",
      source: .library,
      likelihood: .usual,
      changes: transactions),
    StatementOperator(
      "setting", "the other value of foreign_keys, recursive_triggers and case_sensitive_like",
      source: .library,
      changes: settings),
  ]

  /// Replaces statements without parameters.
  static let nothing = "SELECT 1 WHERE 0"

  // MARK: - Writes

  private static func skips(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    let all = 0..<statement.tokens.count
    switch statement.verb {
    case .insert, .update, .delete:
      guard
        let query = statement.queries.first(where: {
          $0.group < 0 && [.insert, .update, .delete].contains($0.verb)
        })
      else { return [] }
      let edits = query.verb == .insert ? withoutRows(statement) : withoutFound(query, statement)
      return edits.map { [Change($0, rank: 4, "Without this statement")] } ?? []
    case .index: return [Change(Edit(all, nothing), rank: 4, "Without this index")]
    case .trigger: return [Change(Edit(all, nothing), rank: 4, "Without this trigger")]
    case .drop: return [Change(Edit(all, nothing), rank: 4, "Without this statement")]
    default: return []
    }
  }

  /// A condition that no row meets.
  private static func withoutFound(_ query: Query, _ statement: ParsedStatement) -> [Edit]? {
    if let filter = query[.filter] { return [Edit(filter.body, "0 AND (\(statement.text(filter.body)))")] }
    return [statement.condition("0", of: query)]
  }

  /// An INSERT without rows.
  private static func withoutRows(_ statement: ParsedStatement) -> [Edit]? {
    let outer = statement.queries.filter { $0.group < 0 }
    guard let start = outer.firstIndex(where: { $0.verb == .insert }) else { return nil }
    guard let first = outer[safe: start + 1], [.select, .values].contains(first.verb) else {
      return withoutDefaults(statement)
    }
    let rows = outer[(start + 1)...].prefix { $0.verb != .conflict }
    guard let last = rows.last?.clauses.last(where: { $0.kind != .returning }) else { return nil }
    let place = first.range.lowerBound..<last.range.upperBound
    return [Edit(place, "SELECT * FROM (\(statement.text(place))) WHERE 0")]
  }

  /// DEFAULT VALUES takes no condition.
  private static func withoutDefaults(_ statement: ParsedStatement) -> [Edit]? {
    guard let insertion = statement.insertions.first else { return nil }
    let table = statement.text(insertion.query.clauses[0].body.lowerBound..<insertion.table.index + 1)
    return [Edit(insertion.query.range.lowerBound..<insertion.last + 1, "DELETE FROM \(table) WHERE 0")]
  }

  // MARK: - Transactions

  private static func transactions(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    let all = 0..<statement.tokens.count
    switch statement.verb {
    case .commit: return [Change(Edit(all, "ROLLBACK"), rank: 3, "With ROLLBACK for \(all)")]
    case .rollback: return [Change(Edit(all, "COMMIT"), rank: 3, "With COMMIT for \(all)")]
    case .rollbackTo: return [Change(Edit(all, nothing), rank: 4, "Without \(all)")]
    case .savepoint: return [Change(Edit(all, nothing), rank: 4, "Without \(all)")]
    case .begin:
      let word = statement.word(1)
      let none = Change(Edit(all, nothing), rank: 4, "Without \(all)")
      if word == "IMMEDIATE" || word == "EXCLUSIVE" {
        return [Change(Edit(all, "BEGIN DEFERRED"), rank: 0, "With BEGIN DEFERRED for \(all)"), none]
      }
      return [Change(Edit(all, "BEGIN IMMEDIATE"), rank: 0, "With BEGIN IMMEDIATE for \(all)"), none]
    default: return []
    }
  }

  private static let settingNames: Set = ["FOREIGN_KEYS", "RECURSIVE_TRIGGERS", "CASE_SENSITIVE_LIKE"]
  private static let otherValues = [
    "ON": "OFF", "OFF": "ON", "1": "0", "0": "1", "TRUE": "FALSE", "FALSE": "TRUE", "YES": "NO", "NO": "YES",
    "'ON'": "OFF", "'OFF'": "ON",
  ]

  private static func settings(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    guard statement.word(0) == "PRAGMA",
      let name = statement.tokens.indices.first(where: { settingNames.contains(statement.word($0)) }),
      ["=", "("].contains(statement.text(name + 1)),
      let value = otherValues[statement.text(name + 2).uppercased()]
    else { return [] }
    let setting = statement.word(name).lowercased()
    return [Change(Edit(name + 2, value), rank: 3, "With \(setting) \(value)")]
  }
}

extension ParsedStatement {
  /// A WHERE for a query without one.
  func condition(_ text: String, of query: Query) -> Edit {
    let before: [Clause.Kind] = [.select, .update, .delete, .set, .from, .join, .on, .using]
    let last = query.clauses.last { before.contains($0.kind) } ?? query.clauses[0]
    return .insert(behind: last.range.upperBound - 1, " WHERE \(text)")
  }
}
