/// Operators on indexes.
enum IndexOperators {
  static let all = [
    StatementOperator(
      "unique index", "a UNIQUE index that is none, and one where it is none", likelihood: .usual
    ) { statement, _ in
      guard statement.verb == .index else { return [] }
      if statement.word(1) == "UNIQUE" { return [Change(Edit(1, ""), rank: 3, "With the index not UNIQUE")] }
      return [Change(.insert(behind: 0, " UNIQUE"), rank: 3, "With the index UNIQUE")]
    },
    StatementOperator(
      "index of all rows", "an index without its WHERE", likelihood: .usual, changes: withoutWhere),
    StatementOperator(
      "index columns", "an index of a column less or more", likelihood: .rare, most: 20, changes: columns),
  ]

  private static func withoutWhere(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    guard statement.verb == .index, let filter = statement.clauses.first(where: { $0.kind == .filter }) else {
      return []
    }
    return [Change(Edit(filter.range, ""), rank: 3, "With the index without \(filter.range)")]
  }

  private static func columns(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    guard statement.verb == .index,
      let open = statement.tokens.indices.first(where: { statement.text($0) == "(" }),
      let close = statement.partner(open)
    else { return [] }
    let parts = statement.list(open + 1..<close)
    let less = statement.withoutEach(of: parts, rank: 3) { "With the index without \($0)" }
    guard statement.word(1) == "UNIQUE" else { return less }
    let used = Set((open..<close).map { statement.tokens[$0].name.lowercased() })
    let table = statement.subject
    let more = (context.tables[table] ?? []).filter { !used.contains($0.name.lowercased()) }.prefix(12)
    return less
      + more.map { column in
        Change(
          .insert(behind: close - 1, ", \(SQLWords.name(column.name))"), rank: 3,
          "With the index of \(column.name) too")
      }
  }
}

extension ParsedStatement {
  /// Removes each part of a list.
  func withoutEach(of parts: [Range<Int>], rank: Int, _ words: (Range<Int>) -> Words) -> [Change] {
    guard parts.count > 1 else { return [] }
    return parts.indices.map { index in
      let place =
        index + 1 < parts.count
        ? parts[index].lowerBound..<parts[index + 1].lowerBound
        : parts[index].lowerBound - 1..<parts[index].upperBound
      return Change(Edit(place, ""), rank: rank, words(parts[index]))
    }
  }
}
