import ReportModel

/// Conditions and literals in a test's statements.
struct StatementFacts: Sendable, Hashable {
  /// A condition on one table, without parameters.
  struct Condition: Sendable, Hashable {
    /// Its text, with columns apart.
    var parts: [Part]

    struct Part: Sendable, Hashable {
      var text: String
      var isColumn: Bool
    }

    /// The condition, qualified by a table's name or alias.
    func text(_ called: String?) -> String {
      parts.map { $0.isColumn ? (called.map { "\($0)." } ?? "") + $0.text : $0.text }.joined()
    }
  }

  /// By table in lower case.
  private(set) var conditions: [String: [Condition]] = [:]
  private var written: [String: [Literal]] = [:]
  private(set) var attached: [String] = []

  private struct Literal: Hashable {
    var column: String
    var text: String
  }

  private static let mostStatements = 1000
  private static let longest = 16_384
  private static let mostOfTable = 40

  init(_ statements: [String], _ tables: [String: [OperatorContext.Column]]) {
    var seen: Set<String> = []
    for sql in statements.prefix(Self.mostStatements) where sql.utf8.count <= Self.longest {
      guard seen.insert(sql).inserted else { continue }
      let statement = ParsedStatement(sql)
      noteConditions(statement, tables)
      noteLiterals(statement, tables)
      noteAttached(statement)
    }
  }

  /// Columns and literals written to them, without some.
  func literals(of table: String, except used: Set<String>) -> [(column: String, text: String)] {
    (written[table] ?? []).filter { !used.contains($0.column.lowercased()) }.map { ($0.column, $0.text) }
  }

  private mutating func noteAttached(_ statement: ParsedStatement) {
    // A key may follow the name.
    guard statement.word(0) == "ATTACH",
      let sign = statement.tokens.indices.last(where: { statement.word($0) == "AS" }),
      let last = statement.tokens[safe: sign + 1], last.isName || last.kind == .text
    else { return }
    let name = last.kind == .text ? String(last.text.dropFirst().dropLast()) : last.name
    if !attached.contains(name) { attached.append(name) }
  }

  // MARK: - Conditions

  private mutating func noteConditions(
    _ statement: ParsedStatement, _ tables: [String: [OperatorContext.Column]]
  ) {
    let subject = statement.subject
    for chain in statement.chains where chain.isWhole && !chain.isOr {
      for term in chain.terms {
        guard !term.contains(where: { isForbidden($0, statement) }) else { continue }
        note(term, statement, subject, tables)
      }
    }
  }

  private func isForbidden(_ index: Int, _ statement: ParsedStatement) -> Bool {
    statement.tokens[index].kind == .parameter
      || ["SELECT", "EXISTS", "OLD", "NEW"].contains(statement.word(index))
  }

  private mutating func note(
    _ term: Range<Int>, _ statement: ParsedStatement, _ subject: String,
    _ tables: [String: [OperatorContext.Column]]
  ) {
    let visible = statement.tables(at: term.lowerBound)
    let keys = visible.isEmpty ? [subject] : visible.map(\.key)
    for (place, key) in keys.enumerated() {
      let columns = Set((tables[key] ?? []).map { $0.name.lowercased() })
      let called = visible[safe: place]?.bareCalled.lowercased() ?? key
      guard !columns.isEmpty, let parts = parts(of: term, statement, called, columns) else { continue }
      let condition = Condition(parts: parts)
      if conditions[key, default: []].count < Self.mostOfTable,
        !conditions[key, default: []].contains(condition)
      {
        conditions[key, default: []].append(condition)
      }
    }
  }

  private func parts(
    of term: Range<Int>, _ statement: ParsedStatement, _ called: String, _ columns: Set<String>
  ) -> [Condition.Part]? {
    var parts: [Condition.Part] = []
    var hasColumn = false
    for index in term {
      let token = statement.tokens[index]
      let isGap = index > term.lowerBound && statement.tokens[index - 1].text.endIndex < token.text.startIndex
      let isQualifier = statement.text(index + 1) == "." && token.isName
      if isQualifier, token.name.lowercased() != called { return nil }
      if isGap { parts.append(.init(text: " ", isColumn: false)) }
      if isQualifier || token.text == "." { continue }
      let isWord = token.kind == .word && SQLWords.reserved.contains(token.folded) || !token.isName
      let isCall = statement.text(index + 1) == "(" && token.kind == .word
      let isCollation = statement.word(index - 1) == "COLLATE"
      if isWord || isCall || isCollation {
        parts.append(.init(text: String(token.text), isColumn: false))
      } else {
        guard columns.contains(token.name.lowercased()) else { return nil }
        parts.append(.init(text: String(token.text), isColumn: true))
        hasColumn = true
      }
    }
    return hasColumn ? parts : nil
  }

  // MARK: - Literals

  private mutating func noteLiterals(
    _ statement: ParsedStatement, _ tables: [String: [OperatorContext.Column]]
  ) {
    for insertion in statement.insertions where !insertion.columns.isEmpty {
      let names = insertion.columns.map { statement.tokens[$0.upperBound - 1].name }
      for row in insertion.rows.prefix(4) where row.count == names.count {
        for (name, value) in zip(names, row) { note(name, value, insertion.table.key, statement) }
      }
    }
    for list in statement.assignmentLists {
      for assignment in list.assignments {
        note(assignment.column, assignment.value, list.table.key, statement)
      }
    }
  }

  private static let words: Set = ["NULL", "TRUE", "FALSE", "CURRENT_TIMESTAMP", "CURRENT_DATE"]

  private mutating func note(
    _ column: String, _ value: Range<Int>, _ table: String, _ statement: ParsedStatement
  ) {
    let isWord = value.count == 1 && Self.words.contains(statement.word(value.lowerBound))
    let isLiteral = value.count == 1 && statement.tokens[value.lowerBound].isLiteral
    guard isWord || isLiteral || statement.isNumber(value), statement.text(value).utf8.count < 64 else {
      return
    }
    let literal = Literal(column: column, text: statement.text(value))
    if written[table, default: []].count < Self.mostOfTable, !written[table, default: []].contains(literal) {
      written[table, default: []].append(literal)
    }
  }
}
