/// Values in JSON.
enum JSONOperators {
  /// The operators of this family.
  static let all = [
    StatementOperator(
      "value in json", "`->>` for `->`, for json_extract and the reverse", source: .library, changes: arrows)
  ]

  private static func arrows(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    let signs = statement.active { ["->", "->>"].contains(statement.text($0)) }.map { index in
      let old = String(statement.text(index)), new = old == "->" ? "->>" : "->"
      return Change(Edit(index, new), rank: 0, "With “\(new)” for “\(old)” in \(near: index)")
    }
    let calls = statement.active { statement.word($0) == "JSON_EXTRACT" }.compactMap { index -> Change? in
      guard let (inside, end) = statement.arguments(of: index) else { return nil }
      let parts = statement.list(inside)
      guard parts.count == 2 else { return nil }
      return Change(
        Edit(index..<end + 1, "(\(statement.text(parts[0])) -> \(statement.text(parts[1])))"), rank: 0,
        "With “->” for json_extract in \(near: index)")
    }
    return signs + calls
  }
}
