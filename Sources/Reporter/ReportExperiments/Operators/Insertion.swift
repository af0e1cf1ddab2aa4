/// An INSERT, possibly in a trigger.
struct Insertion: Sendable {
  var query: Query
  var table: TableReference
  /// Empty without a list.
  var columns: [Range<Int>]
  /// Inside the parentheses.
  var list: Range<Int>?
  var rows: [[Range<Int>]]
  var sources: [Query]
  var conflicts: [Query]
  /// The last token before RETURNING.
  var last: Int
}

extension ParsedStatement {
  var insertions: [Insertion] {
    queries.indices.filter { queries[$0].verb == .insert }.prefix(20).compactMap(insertion)
  }

  private func insertion(_ place: Int) -> Insertion? {
    let query = queries[place]
    guard let table = tables.first(where: { $0.query == query.number }) else { return nil }
    var (sources, conflicts): ([Query], [Query]) = ([], [])
    var end = query.range.upperBound
    for next in queries[(place + 1)...] {
      guard next.group == query.group, next.range.lowerBound == end else { break }
      if next.verb == .conflict { conflicts.append(next) } else { sources.append(next) }
      end = next.range.upperBound
    }
    let inside = listPlace(table, query)
    let rows = sources.first.flatMap { $0.verb == .values ? $0.clauses[0].body : nil }.map(rowValues) ?? []
    let returning = ([query] + sources + conflicts).flatMap(\.clauses).last { $0.kind == .returning }
    return Insertion(
      query: query, table: table, columns: inside.map { list($0) } ?? [], list: inside, rows: rows,
      sources: sources, conflicts: conflicts, last: (returning?.keyword.lowerBound ?? end) - 1)
  }

  private func listPlace(_ table: TableReference, _ query: Query) -> Range<Int>? {
    let body = query.clauses[0].body
    guard let open = level(body).first(where: { $0 > table.index && text($0) == "(" }),
      let close = partner(open), close < body.upperBound
    else { return nil }
    return open + 1..<close
  }

  private func rowValues(_ body: Range<Int>) -> [[Range<Int>]] {
    level(body).filter { text($0) == "(" }.compactMap { open in partner(open).map { list(open + 1..<$0) } }
  }

  /// The names of inserted columns, explicit or the table's.
  func columnNames(of insertion: Insertion, _ context: OperatorContext) -> [String] {
    guard insertion.columns.isEmpty else {
      return insertion.columns.map { tokens[$0.upperBound - 1].name }
    }
    return (context.tables[insertion.table.key] ?? []).map(\.name)
  }
}
