import ReportModel

/// Operators on triggers.
enum TriggerOperators {
  static let all = [
    StatementOperator(
      "time of trigger", "AFTER for BEFORE and the reverse", likelihood: .rare, changes: times),
    StatementOperator(
      "trigger of all rows", "a trigger without WHEN, and of all columns", changes: conditions),
    StatementOperator(
      "trigger statement", "a statement less in a trigger", likelihood: .usual, changes: bodies),
    StatementOperator(
      "old and new", "NEW for OLD and the reverse in a trigger", source: .identifiers, likelihood: .rare,
      changes: rows),
    StatementOperator(
      "column of row", "another column of NEW or OLD in a trigger", source: .identifiers, likelihood: .usual,
      changes: rowColumns),
    StatementOperator(
      "raise", "RAISE(IGNORE) for RAISE(ABORT, …) and the reverse", source: .library, changes: raises),
  ]

  private static func body(_ statement: ParsedStatement) -> Int? {
    guard statement.verb == .trigger else { return nil }
    return statement.tokens.indices.first {
      statement.word($0) == "BEGIN" && statement.brackets.openers[$0] < 0 && statement.partner($0) != nil
    }
  }

  private static func event(_ statement: ParsedStatement, _ begin: Int) -> Int? {
    statement.tokens[..<begin].indices.first {
      ["INSERT", "UPDATE", "DELETE"].contains(statement.word($0))
    }
  }

  private static func times(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    guard let begin = body(statement), let event = event(statement, begin) else { return [] }
    switch statement.word(event - 1) {
    case "BEFORE": return [Change(Edit(event - 1, "AFTER"), rank: 3, "With the trigger AFTER for BEFORE")]
    case "AFTER": return [Change(Edit(event - 1, "BEFORE"), rank: 3, "With the trigger BEFORE for AFTER")]
    case "OF": return []
    default:
      return [
        Change(.insert(behind: event - 1, " AFTER"), rank: 3, "With the trigger AFTER its rows are written")
      ]
    }
  }

  private static func conditions(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    guard let begin = body(statement), let event = event(statement, begin) else { return [] }
    var changes: [Change] = []
    if let when = statement.clauses.first(where: { $0.kind == .when }) {
      let place = when.keyword.lowerBound..<begin
      changes.append(Change(Edit(place, ""), rank: 3, "With the trigger without \(place)"))
    }
    guard statement.word(event + 1) == "OF",
      let on = statement.tokens[event..<begin].indices.first(where: { statement.word($0) == "ON" })
    else { return changes }
    let columns = event + 1..<on
    changes.append(Change(Edit(columns, ""), rank: 3, "With the trigger of all columns"))
    return changes
      + statement.withoutEach(of: statement.list(event + 2..<on), rank: 3) {
        "With the trigger without OF \($0)"
      }
  }

  private static func bodies(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    guard let begin = body(statement), let end = statement.partner(begin) else { return [] }
    var (start, parts): (Int, [Range<Int>]) = (begin + 1, [])
    for index in statement.level(begin + 1..<end) where statement.text(index) == ";" {
      parts.append(start..<index + 1)
      start = index + 1
    }
    guard parts.count > 1 else { return [] }
    return parts.map { part in
      Change(Edit(part, ""), rank: 3, "With the trigger without \(part.lowerBound..<part.upperBound - 1)")
    }
  }

  private static func rows(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    guard let begin = body(statement), let event = event(statement, begin), statement.word(event) == "UPDATE"
    else {
      return []
    }
    return references(statement).map { index in
      let new = statement.word(index) == "OLD" ? "NEW" : "OLD"
      return Change(
        Edit(index, new), rank: 0, "With \(new) for \(statement.word(index)) in \(near: index)")
    }
  }

  /// Where a trigger names a column of its row.
  private static func references(_ statement: ParsedStatement) -> [Int] {
    statement.active { ["OLD", "NEW"].contains(statement.word($0)) && statement.text($0 + 1) == "." }
  }

  private static func rowColumns(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    let table = statement.subject
    guard statement.verb == .trigger, let columns = context.tables[table] else { return [] }
    return references(statement).flatMap { index -> [Change] in
      guard let name = statement.tokens[safe: index + 2]?.name,
        let own = context.column(name, of: table)
      else { return [] }
      let place = index..<index + 3
      let isTerm = statement.terms[safe: statement.termOfToken[index]] == place
      return columns.filter { $0.name != own.name && $0.holdsLike(own) }.prefix(8).map { other in
        let text = "\(statement.text(index)).\(SQLWords.name(other.name))"
        let words: Words =
          isTerm
          ? "With \(code: text) for \(place)" : "With \(code: text) for \(place) in \(near: index)"
        return Change(Edit(place, text), rank: 2, words)
      }
    }
  }

  private static func raises(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.active { statement.word($0) == "RAISE" }.compactMap { index in
      guard let (inside, end) = statement.arguments(of: index) else { return nil }
      let isIgnored = statement.word(inside.lowerBound) == "IGNORE"
      return Change(
        Edit(inside, isIgnored ? "ABORT, 'refused'" : "IGNORE"), rank: 2,
        "With RAISE(\(isIgnored ? "ABORT" : "IGNORE")) for \(index..<end + 1)")
    }
  }
}
