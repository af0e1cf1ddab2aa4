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
      let given = Self.literals(sql[open.text.endIndex...])
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

  /// The literals up to the parenthesis that closes; `nil` where something else stands among them.
  private static func literals(_ text: Substring) -> [DatabaseValue]? {
    var (values, rest): ([DatabaseValue], Substring) = ([], text)
    while true {
      rest = rest.drop(while: \.isWhitespace)
      guard let start = rest.first else { return nil }
      if start == "'" {
        var (end, isOver, string) = (rest.index(after: rest.startIndex), false, "")
        while end < rest.endIndex, !isOver {
          if rest[end] == "'" {
            let next = rest.index(after: end)
            if next < rest.endIndex, rest[next] == "'" {
              string.append("'"); end = next
            } else {
              isOver = true
            }
          } else {
            string.append(rest[end])
          }
          end = rest.index(after: end)
        }
        guard isOver else { return nil }
        values.append(.text(string))
        rest = rest[end...]
      } else {
        let word = rest.prefix { $0 != "," && $0 != ")" && !$0.isWhitespace }
        if word.uppercased() == "NULL" {
          values.append(.null)
        } else if let number = Int64(word) {
          values.append(.integer(number))
        } else if let number = Double(word) {
          values.append(.real(number))
        } else {
          return nil
        }
        rest = rest[word.endIndex...]
      }
      rest = rest.drop(while: \.isWhitespace)
      switch rest.first {
      case ",": rest = rest.dropFirst()
      case ")": return rest.dropFirst().drop(while: \.isWhitespace).first == "," ? nil : values
      default: return nil
      }
    }
  }
}
