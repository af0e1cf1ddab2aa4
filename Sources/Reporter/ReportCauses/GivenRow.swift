import ExhibitSQLite
import ReportModel
import ReportStory

/// The row that an INSERT … VALUES was given, by its text with values.
struct GivenRow {
  /// By name in lower case.
  private(set) var values: [String: DatabaseValue] = [:]
  /// The columns of its ON CONFLICT, and those that it sets then, in lower case.
  private(set) var target: Set<String> = []
  private(set) var assigned: Set<String> = []

  /// - Returns: `nil` where it names no columns, gives more than one row, or other than literals.
  init?(_ sql: String) {
    let tokens = SQLToken.all(in: sql)
    guard let place = tokens.firstIndex(where: { $0.folded == "VALUES" }), let open = tokens[safe: place + 1],
      open.text == "(", let first = tokens.firstIndex(where: { $0.text == "(" }), first < place,
      let last = tokens[first..<place].firstIndex(where: { $0.text == ")" }),
      let given = Self.literals(in: sql, Array(tokens[(place + 1)...]))
    else { return nil }
    let names = tokens[(first + 1)..<last].compactMap(\.name)
    guard names.count == given.count else { return nil }
    for (name, value) in zip(names, given) { values[name.lowercased()] = value }
    guard let conflict = tokens[place...].firstIndex(where: { $0.folded == "CONFLICT" }),
      let set = tokens[conflict...].firstIndex(where: { $0.folded == "SET" })
    else { return }
    if tokens[safe: conflict + 1]?.text == "(" {
      target = Set(
        tokens[(conflict + 2)...].prefix { $0.text != ")" }.compactMap {
          $0.isName ? $0.name?.lowercased() : nil
        })
    }
    for index in set..<tokens.count where tokens[index].text == "=" {
      if let name = tokens[index - 1].name { assigned.insert(name.lowercased()) }
    }
  }

  /// The literals between a parenthesis and the one that closes; `nil` where something else stands among them.
  private static func literals(in sql: String, _ tokens: [SQLToken]) -> [DatabaseValue]? {
    guard let end = tokens.firstIndex(where: { $0.text == ")" }), tokens[safe: end + 1]?.text != "," else {
      return nil
    }
    let borders = [0] + tokens.indices.filter { $0 < end && tokens[$0].text == "," } + [end]
    let values = zip(borders, borders.dropFirst()).map { start, end in
      literal(String(sql[tokens[start].text.endIndex..<tokens[end].text.startIndex]).trimmed)
    }
    return values.contains(nil) ? nil : values.compactMap(\.self)
  }

  private static func literal(_ text: String) -> DatabaseValue? {
    if text.uppercased() == "NULL" { return .null }
    if let number = Int64(text) { return .integer(number) }
    if let number = Double(text) { return .real(number) }
    guard text.first == "'", let token = SQLToken.all(in: text).first, token.text.endIndex == text.endIndex
    else { return nil }
    return token.name.map { .text($0) }
  }
}
