import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// INSERT … ON CONFLICT that met a row which is another one by a column that the conflict does not ask for.
extension Causes {
  private static let (fewest, rareEnough) = (10, 0.25)

  private struct Merge {
    var step: ToldSteps.Step
    var change: ToldSteps.Change
    /// The values given to columns in which the row has another value.
    var given: [Int: DatabaseValue]
  }

  var mergedRows: [Explanation] { told.isWhole ? families.all.compactMap(explanation) : [] }

  private func explanation(of family: StepFamily) -> Explanation? {
    guard family.members.count >= Self.fewest, let first = family.members.first, first.text.kind == .insert,
      first.sql.uppercased().contains("CONFLICT")
    else { return nil }
    var (merges, target): ([Merge], Set<String>) = ([], [])
    for step in family.members {
      let own = step.changes.filter { $0.told.depth == 0 }
      guard own.count == 1, let change = own.first, change.told.operation == .update,
        let row = step.recorded.expanded.flatMap(GivenRow.init),
        !row.target.isEmpty
      else { continue }
      target = row.target
      var given: [Int: DatabaseValue] = [:]
      for (index, name) in change.columns.enumerated() {
        let name = name.lowercased()
        guard let value = row.values[name], !row.target.contains(name), !row.assigned.contains(name),
          let stored = change.told.new[safe: index] ?? nil, !stored.isAlike(value)
        else { continue }
        given[index] = value
      }
      merges.append(Merge(step: step, change: change, given: given))
    }
    guard let table = merges.first?.change.table, merges.allSatisfy({ $0.change.table == table }) else {
      return nil
    }
    let counts = merges.flatMap(\.given.keys).reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    let rare = counts.filter {
      Double($0.value) <= Double(family.members.count) * Self.rareEnough && $0.value * 2 <= merges.count
    }
    guard let (column, count) = rare.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      disagreement.weight(of: [table.name]) > 0
    else { return nil }
    let others = merges.filter { $0.given[column] != nil }
    guard let step = others.first?.step else { return nil }
    let names = others.first?.change.columns ?? []
    let name = names.columnName(column)
    return Explanation(
      .certain,
      """
      In \(grouped(count)) of \(grouped(merges.count)) conflicts \(family.pieces) met a row of \(table.name) with \
      another \(name) than it was given (first in \(step: step.number)): \
      ON CONFLICT(\(target.sorted().joined(separator: ", "))) does not look at \(name).
      """,
      rows: RelatedRows(
        table: table, title: "\(table.name): met by another \(name)", columns: ["\(name) given"] + names,
        rows: others.prefix(5).compactMap { merge in
          let row = merge.change.told.new.compactMap(\.self)
          return row.count == names.count ? [merge.given[column] ?? .null] + row : nil
        }, count: count),
      weight: Weight.certain + Weight.touchesRead, about: Set(others.map(\.step.number)))
  }
}

extension DatabaseValue {
  /// True when a column may have made it of another value: '5' is stored as 5 where a column is numeric.
  fileprivate func isAlike(_ other: DatabaseValue) -> Bool {
    if self == other { return true }
    func number(_ value: DatabaseValue) -> Double? {
      if case .text(let text, nil) = value { Double(text.trimmed) } else { value.number }
    }
    guard let one = number(self), let two = number(other) else { return false }
    return one == two
  }
}

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

  fileprivate static func literal(_ text: String) -> DatabaseValue? {
    if text.uppercased() == "NULL" { return .null }
    if let number = Int64(text) { return .integer(number) }
    if let number = Double(text) { return .real(number) }
    guard text.first == "'", let token = SQLToken.all(in: text).first, token.text.endIndex == text.endIndex
    else { return nil }
    return token.name.map { .text($0) }
  }
}

extension String {
  /// The columns, in lower case, and values of a statement whose WHERE is `a = 1 AND b = 'x'`; `nil` of any other.
  var equalities: [(column: String, value: DatabaseValue)]? {
    let tokens = SQLToken.all(in: self)
    guard (tokens.count { $0.folded == "SELECT" }) == 1,
      let place = tokens.firstIndex(where: { $0.folded == "WHERE" })
    else { return nil }
    var (found, index): ([(column: String, value: DatabaseValue)], Int) = ([], place + 1)
    while true {
      if tokens[safe: index + 1]?.text == "." { index += 2 }
      guard let name = tokens[safe: index]?.name, let sign = tokens[safe: index + 1], sign.text == "=" else {
        return nil
      }
      // A number is no token.
      let stop = tokens[(index + 2)...].firstIndex {
        ["AND", "ORDER", "LIMIT"].contains($0.folded) || $0.text == ";"
      }
      let end = stop.map { tokens[$0].text.startIndex } ?? endIndex
      guard let value = GivenRow.literal(String(self[sign.text.endIndex..<end]).trimmed) else { return nil }
      found.append((name.lowercased(), value))
      guard let stop, tokens[stop].folded == "AND" else { return found }
      index = stop + 1
    }
  }
}
