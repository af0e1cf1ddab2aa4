/// Operators on JSON.
enum JSONOperators {
  static let all = [
    StatementOperator(
      "value in json", "`->>` for `->`, for json_extract and the reverse", source: .library, changes: arrows),
    StatementOperator(
      "null in json", "JSON's null apart from what JSON does not have, in coalesce and ifnull",
      likelihood: .usual, changes: nulls),
  ]

  private static func nulls(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.active { ["COALESCE", "IFNULL"].contains(statement.word($0)) }.compactMap { index in
      guard let (inside, end) = statement.arguments(of: index) else { return nil }
      let parts = statement.list(inside)
      guard parts.count > 1, let (json, path) = extracted(parts[0], statement) else { return nil }
      let others = parts.dropFirst().map { statement.text($0) }.joined(separator: ", ")
      let rest = parts.count > 2 ? "coalesce(\(others))" : others
      return Change(
        Edit(
          index..<end + 1,
          "CASE WHEN json_type(\(json), \(path)) IS NULL THEN \(rest) ELSE \(statement.text(parts[0])) END"),
        rank: 1, "With NULL for JSON's null in \(index..<end + 1)")
    }
  }

  /// The JSON and path of an extraction.
  private static func extracted(_ part: Range<Int>, _ statement: ParsedStatement) -> (
    json: String, path: String
  )? {
    if statement.word(part.lowerBound) == "JSON_EXTRACT",
      let (inside, end) = statement.arguments(of: part.lowerBound),
      end + 1 == part.upperBound
    {
      let parts = statement.list(inside)
      return parts.count == 2 ? (statement.text(parts[0]), statement.text(parts[1])) : nil
    }
    guard let sign = statement.level(part).first(where: { statement.text($0) == "->>" }) else { return nil }
    let path = statement.text(sign + 1..<part.upperBound)
    // `->>` takes a bare name, json_type does not.
    let isName = path.hasPrefix("'") && !path.hasPrefix("'$")
    return (statement.text(part.lowerBound..<sign), isName ? "'$.' || \(path)" : path)
  }

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
