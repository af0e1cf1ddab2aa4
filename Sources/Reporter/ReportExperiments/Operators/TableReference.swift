/// A table named in a query.
struct TableReference: Sendable {
  var index: Int
  /// The end, with alias.
  var end: Int
  var key: String
  var bareName: String
  /// Its alias or name, with quotes.
  var called: String
  /// Without quotes.
  var bareCalled: String
  var query: Int
  var clause: Clause

  static func all(of tokens: [StatementToken], _ clauses: [Clause]) -> [TableReference] {
    clauses.flatMap { clause -> [TableReference] in
      switch clause.kind {
      case .from, .join: starts(of: tokens, clause).compactMap { reference(tokens, clause, at: $0) }
      case .update, .delete, .insert: reference(tokens, clause, at: clause.body.lowerBound).map { [$0] } ?? []
      default: []
      }
    }
  }

  /// The first token and those after commas.
  private static func starts(of tokens: [StatementToken], _ clause: Clause) -> [Int] {
    var (depth, starts): (Int, [Int]) = (0, [clause.body.lowerBound])
    for index in clause.body {
      if tokens[index].text == "(" { depth += 1 }
      if tokens[index].text == ")" { depth -= 1 }
      if depth == 0, tokens[index].text == "," { starts.append(index + 1) }
    }
    return starts
  }

  private static func reference(
    _ tokens: [StatementToken], _ clause: Clause, at start: Int
  ) -> TableReference? {
    func isName(_ index: Int) -> Bool {
      clause.body.contains(index) && tokens[index].isName && !SQLWords.reserved.contains(tokens[index].folded)
    }
    func text(_ index: Int) -> Substring { clause.body.contains(index) ? tokens[index].text : "" }
    var index = start
    if text(index + 1) == "." { index += 2 }
    guard isName(index), text(index + 1) != "(" || clause.kind == .insert else { return nil }
    let isAs = clause.body.contains(index + 1) && tokens[index + 1].folded == "AS"
    let alias = isAs ? index + 2 : index + 1
    let called = isName(alias) ? alias : index
    return TableReference(
      index: index, end: called + 1, key: tokens[index].name.lowercased(), bareName: tokens[index].name,
      called: String(tokens[called].text), bareCalled: tokens[called].name, query: clause.query,
      clause: clause)
  }
}

extension Query {
  func condition(of table: TableReference) -> Clause? {
    clauses.first { $0.kind == .on && $0.keyword.lowerBound == table.clause.body.upperBound }
  }
}

extension TableReference {
  /// True in a LEFT or FULL JOIN.
  func isOptional(_ tokens: [StatementToken]) -> Bool {
    clause.kind == .join
      && clause.keyword.contains { tokens[$0].folded == "LEFT" || tokens[$0].folded == "FULL" }
  }
}
