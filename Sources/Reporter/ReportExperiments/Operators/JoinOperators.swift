/// Operators on joins.
enum JoinOperators {
  static let all = [
    StatementOperator(
      "join", "LEFT JOIN for JOIN and the reverse", source: .clauses, likelihood: .usual, changes: joins),
    StatementOperator(
      "condition of join", "a condition of WHERE in the ON of a LEFT JOIN", source: .clauses,
      likelihood: .usual, changes: moved),
    StatementOperator(
      "joined columns", "a join by other columns: those of one name, `id` and `<table>_id`",
      source: .identifiers, likelihood: .rare,
      most: 16, changes: columns),
  ]

  private static func joins(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.clauses.filter { $0.kind == .join }.compactMap { clause in
      let words = Set(clause.keyword.map(statement.word))
      guard words.isDisjoint(with: ["CROSS", "NATURAL"]), let table = clause.body.first else { return nil }
      let place = table..<min(table + 1, clause.body.upperBound)
      if words.isDisjoint(with: ["LEFT", "RIGHT", "FULL"]) {
        return Change(Edit(clause.keyword, "LEFT JOIN"), rank: 0, "With LEFT JOIN for JOIN of \(place)")
      }
      let old = clause.keyword.map(statement.word).joined(separator: " ")
      return Change(Edit(clause.keyword, "JOIN"), rank: 0, "With JOIN for \(old) of \(place)")
    }
  }

  // MARK: - Conditions

  /// A WHERE condition on the right table undoes LEFT.
  private static func moved(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.tables.filter { $0.isOptional(statement.tokens) }.flatMap { table -> [Change] in
      guard let query = statement.queries.first(where: { $0.number == table.query }),
        let filter = query[.filter],
        let on = query.condition(of: table)
      else { return [] }
      let terms = statement.chains.first { $0.isWhole && !$0.isOr && $0.range == filter.body }?.terms ?? []
      return terms.filter { isAbout($0, table, statement) }.map { term in
        Change(
          Edit(on.body, "\(statement.grouped(on.body)) AND \(statement.text(term))"), Edit(term, "1"),
          rank: 1,
          "With \(term) in the ON of \(table.index..<table.index + 1)")
      }
    }
  }

  private static func isAbout(_ term: Range<Int>, _ table: TableReference, _ statement: ParsedStatement)
    -> Bool
  {
    let qualifiers = term.filter { statement.text($0 + 1) == "." && statement.tokens[$0].isName }
    return !qualifiers.isEmpty
      && qualifiers.allSatisfy { statement.tokens[$0].name.lowercased() == table.bareCalled.lowercased() }
  }

  // MARK: - Columns

  private static func columns(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.comparisons.filter { ["=", "==", "IS"].contains($0.word) }.flatMap { comparison -> [Change] in
      guard let left = statement.column(comparison.left, in: context),
        let right = statement.column(comparison.right, in: context), left.table.index != right.table.index
      else { return [] }
      return pairs(left.table, right.table, context).filter {
        $0.0.name.lowercased() != left.column.name.lowercased()
          || $0.1.name.lowercased() != right.column.name.lowercased()
      }.map { one, other in
        let text =
          "\(left.table.called).\(SQLWords.name(one.name)) \(statement.text(comparison.sign)) "
          + "\(right.table.called).\(SQLWords.name(other.name))"
        return Change(
          Edit(comparison.range, text), rank: 1, "With \(code: text) for \(comparison.range)")
      }
    }
  }

  private typealias Pair = (OperatorContext.Column, OperatorContext.Column)

  private static func pairs(
    _ left: TableReference, _ right: TableReference, _ context: OperatorContext
  ) -> [Pair] {
    let (ones, others) = (context.tables[left.key] ?? [], context.tables[right.key] ?? [])
    return ones.prefix(40).flatMap { one in
      others.prefix(40).filter { other in
        one.name.lowercased() == other.name.lowercased() || refers(one, to: other, of: right)
          || refers(other, to: one, of: left)
      }.map { (one, $0) }
    }
  }

  /// True for `place_id` and the key of `place`.
  private static func refers(
    _ column: OperatorContext.Column, to key: OperatorContext.Column, of table: TableReference
  ) -> Bool {
    guard key.isKey || key.name.lowercased() == "id" else { return false }
    let name = column.name.lowercased().replacing("_", with: "")
    let own = key.name.lowercased().replacing("_", with: "")
    var stems = [table.key.replacing("_", with: "")]
    if let stem = stems.first, stem.hasSuffix("s") { stems.append(String(stem.dropLast())) }
    return stems.contains { name == $0 + own || name == $0 || own.hasPrefix($0) && name == own }
      || name.hasSuffix("id") && stems.contains { name.hasSuffix($0 + "id") }
  }
}

extension ParsedStatement {
  /// Parenthesises a condition for AND.
  func grouped(_ range: Range<Int>) -> String {
    level(range).contains { word($0) == "OR" } ? "(\(text(range)))" : text(range)
  }
}
