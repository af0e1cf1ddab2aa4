/// Operators on SET.
enum UpdateOperators {
  static let all = [
    StatementOperator("assignment less", "a column less in SET", source: .clauses, most: 16, changes: less),
    StatementOperator(
      "assigned value", "`x = x + ?` for `x = ?` and the reverse, the value before for NULL, the larger one",
      most: 24, changes: values),
    StatementOperator(
      "row made", "a row made where an UPDATE that adds to a column finds none", likelihood: .usual, most: 8,
      changes: made),
  ]

  private static func made(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.assignmentLists.compactMap { list in
      guard list.query.verb == .update, list.query[.from] == nil, list.assignments.count == 1,
        let assignment = list.assignments.first,
        let sign = ownSum(assignment, statement), statement.text(sign) != "||",
        let filter = list.query[.filter], let keys = keys(filter, list, statement, context)
      else { return nil }
      let words: Words =
        "With a row made of \(list.table.index..<list.table.index + 1) where \(filter.body) finds none"
      let table = statement.text(list.query.clauses[0].body.lowerBound..<list.table.index + 1)
      let names = (keys.map(\.name) + [assignment.column]).map { SQLWords.name($0) }.joined(separator: ", ")
      let values = (keys.map(\.value) + ["0"]).joined(separator: ", ")
      if list.query.group >= 0 || statement.verb == .trigger {
        return Change(
          .insert(
            behind: list.query.range.lowerBound - 1,
            " INSERT INTO \(table)(\(names)) SELECT \(values) WHERE NOT EXISTS (SELECT 1 FROM \(table) WHERE \(statement.text(filter.body)));"
          ),
          rank: 3, words)
      }
      guard statement.verb == .update, list.query.range == 0..<statement.tokens.count else { return nil }
      let own = SQLWords.name(assignment.column)
      let sum = "0 \(statement.text(sign..<assignment.value.upperBound))"
      let targets = keys.map { SQLWords.name($0.name) }.joined(separator: ", ")
      let row = (keys.map(\.value) + [sum]).joined(separator: ", ")
      return Change(
        Edit(
          0..<statement.tokens.count,
          "INSERT INTO \(table)(\(names)) VALUES (\(row)) ON CONFLICT(\(targets)) DO UPDATE SET \(own) = \(own) + excluded.\(own)"
        ),
        rank: 3, words)
    }
  }

  /// The columns of a condition made of equalities.
  private static func keys(
    _ filter: Clause, _ list: AssignmentList, _ statement: ParsedStatement, _ context: OperatorContext
  ) -> [(name: String, value: String)]? {
    let terms =
      statement.chains.first { $0.range == filter.body }.map { $0.isOr ? [] : $0.terms } ?? [filter.body]
    let compared = statement.comparisons.filter { comparison in terms.contains(comparison.range) }
    guard !terms.isEmpty, compared.count == terms.count,
      compared.allSatisfy({ ["=", "==", "IS"].contains($0.word) && statement.isColumn($0.left) }),
      !(context.tables[list.table.key] ?? []).isEmpty
    else { return nil }
    return compared.map { (statement.tokens[$0.left.upperBound - 1].name, statement.text($0.right)) }
  }

  private static func less(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.assignmentLists.filter { $0.assignments.count > 1 }.flatMap { list in
      list.assignments.enumerated().map { place, assignment in
        let words: Words = "Without \(assignment.range) in SET"
        guard statement.kept(assignment.range).isEmpty else {
          let before = "\(list.qualifier)\(statement.text(assignment.target))"
          return Change(
            Edit(assignment.value, statement.value(before, keeping: assignment.value)), rank: 1, words)
        }
        let isLast = place + 1 == list.assignments.count
        let range =
          isLast
          ? assignment.range.lowerBound - 1..<assignment.range.upperBound
          : assignment.range.lowerBound..<list.assignments[place + 1].range.lowerBound
        return Change(Edit(range, ""), rank: 1, words)
      }
    }
  }

  private static func values(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.assignmentLists.flatMap { list in
      list.assignments.flatMap { assignment in
        forms(of: assignment, list, context.column(assignment.column, of: list.table.key), statement)
      }
    }
  }

  private static func forms(
    of assignment: Assignment, _ list: AssignmentList, _ column: OperatorContext.Column?,
    _ statement: ParsedStatement
  ) -> [Change] {
    let value = assignment.value
    let text = statement.text(value)
    let own = "\(list.qualifier)\(statement.text(assignment.target))"
    func change(_ text: String) -> Change {
      Change(
        Edit(value, text), rank: 1,
        "With \(code: "\(statement.text(assignment.target)) = \(text)") for \(assignment.range)")
    }
    if let sign = ownSum(assignment, statement) {
      let rest = sign + 1..<value.upperBound
      return [change(statement.text(rest))]
    }
    guard statement.kept(value).count == 1 || value.contains(where: { statement.text($0) == "." }) else {
      return []
    }
    let kept = [change("coalesce(\(text), \(own))"), change("coalesce(\(own), \(text))")]
    guard column?.isNumeric != false, column?.isKey != true else { return kept }
    let sums = [change("\(own) + \(text)"), change("\(own) - \(text)")]
    return kept + sums + [change("max(\(own), \(text))"), change("min(\(own), \(text))")]
  }

  /// The operator in `x = x + …`.
  private static func ownSum(_ assignment: Assignment, _ statement: ParsedStatement) -> Int? {
    guard let first = statement.operand(startingAt: assignment.value.lowerBound),
      first.upperBound + 1 < assignment.value.upperBound,
      statement.tokens[first.upperBound - 1].name.lowercased() == assignment.column.lowercased(),
      ["+", "-", "||"].contains(statement.text(first.upperBound))
    else { return nil }
    return first.upperBound
  }
}

struct Assignment: Sendable {
  var range: Range<Int>
  var target: Range<Int>
  var value: Range<Int>
  var column: String
}

struct AssignmentList: Sendable {
  var clause: Clause
  var query: Query
  var table: TableReference
  var assignments: [Assignment]

  /// The table's qualifier, if needed.
  var qualifier: String {
    query[.from] != nil || query.verb == .conflict ? "\(table.called)." : ""
  }
}

extension ParsedStatement {
  /// All SETs, including those of upserts and triggers.
  var assignmentLists: [AssignmentList] {
    clauses.filter { $0.kind == .set }.prefix(20).compactMap { clause in
      guard let query = queries.first(where: { $0.number == clause.query }) else { return nil }
      let own = tables.first { $0.query == query.number && $0.clause.kind == .update }
      // An upsert belongs to its INSERT's table.
      let inserted = tables.last {
        $0.clause.kind == .insert && $0.clause.group == clause.group && $0.index < clause.keyword.lowerBound
      }
      guard let table = own ?? inserted else { return nil }
      return AssignmentList(
        clause: clause, query: query, table: table, assignments: list(clause.body).compactMap(assignment))
    }
  }

  private func assignment(_ part: Range<Int>) -> Assignment? {
    guard let sign = level(part).first(where: { text($0) == "=" }), sign == part.lowerBound + 1,
      tokens[part.lowerBound].isName, sign + 1 < part.upperBound
    else { return nil }
    return Assignment(
      range: part, target: part.lowerBound..<sign, value: sign + 1..<part.upperBound,
      column: tokens[part.lowerBound].name)
  }
}
