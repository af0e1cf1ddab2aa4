extension ParsedStatement {
  func columns(of clause: Clause) -> [Range<Int>] {
    var body = clause.body
    if ["DISTINCT", "ALL"].contains(word(body.lowerBound)), !body.isEmpty {
      body = body.lowerBound + 1..<body.upperBound
    }
    return list(body)
  }

  /// Unnamed columns that are read by name.
  func readColumns() -> [Range<Int>] {
    clauses.filter { isRead($0) }.flatMap { columns(of: $0) }.filter {
      !hasName($0) && text($0.upperBound - 1) != "*"
    }
  }

  /// Keeps the names of changed columns, which default to their text.
  ///
  /// - Parameter isNumbered: True when `?` gets numbers, which change that text.
  func names(for edits: [Edit], isNumbered: Bool) -> [Edit] {
    unnamedColumns.compactMap { column -> Edit? in
      let isTouched = edits.contains {
        $0.place.isEmpty
          ? column.lowerBound < $0.place.lowerBound && $0.place.lowerBound < column.upperBound
          : $0.place.overlaps(column)
      }
      guard isTouched || isNumbered && column.contains(where: { text($0) == "?" }) else { return nil }
      let name = self.name(of: column).replacing("\"", with: "\"\"")
      return .insert(behind: column.upperBound - 1, " AS \"\(name)\"")
    }
  }

  private func name(of column: Range<Int>) -> String {
    if isColumn(column) { return tokens[column.upperBound - 1].name }
    return String(
      sql[tokens[column.lowerBound].text.startIndex..<tokens[column.upperBound - 1].text.endIndex])
  }

  /// True for columns read by the app or another query.
  private func isRead(_ clause: Clause) -> Bool {
    if clause.kind == .returning { return true }
    guard clause.kind == .select, let query = queries.first(where: { $0.number == clause.query }) else {
      return false
    }
    let before = clauses.last { $0.group == clause.group && $0.body.upperBound <= query.range.lowerBound }
    if before?.kind == .compound || before?.kind == .insert { return false }
    guard clause.group >= 0 else { return true }
    let outer = word(clause.group - 1)
    return ["FROM", "JOIN", "AS", "MATERIALIZED"].contains(outer)
      || text(clause.group - 1) == "," && self.clause(at: clause.group)?.kind == .from
  }

  private static let ends: Set = [
    "OVER", "COLLATE", "IS", "NOT", "AND", "OR", "IN", "LIKE", "GLOB", "ESCAPE", "THEN", "ELSE",
  ]

  /// True for a name with or without AS.
  func hasName(_ column: Range<Int>) -> Bool {
    let level = level(column)
    guard level.count > 1, let last = level.last else { return false }
    let before = level[level.count - 2]
    if tokens[before].folded == "AS" { return true }
    guard tokens[last].isName || tokens[last].kind == .text, !SQLWords.reserved.contains(word(last)) else {
      return false
    }
    let isValue = tokens[before].isName || tokens[before].isLiteral || tokens[before].kind == .parameter
    return (isValue || text(before) == ")") && !Self.ends.contains(word(before))
  }
}
