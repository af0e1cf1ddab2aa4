package import ExhibitSQLite

package struct TriggerProgram: Sendable {
  /// `BEFORE` (the default), `AFTER` or `INSTEAD`.
  package private(set) var time = "BEFORE"
  package private(set) var event = ""
  /// Of UPDATE OF, in lower case; empty for any column.
  package private(set) var watched: Set<String> = []
  package private(set) var isConditional = false
  package private(set) var writes: [Write] = []

  package struct Write: Sendable {
    package var operation: RowOperation
    package var table: String
    /// Set by an update, in lower case.
    package var columns: Set<String> = []
  }

  package init(_ sql: String) { self.init(SQLToken.all(in: sql)) }

  init(_ tokens: [SQLToken]) {
    let begin = tokens.firstIndex { $0.folded == "BEGIN" } ?? tokens.endIndex
    readEvent(tokens[..<begin])
    guard begin < tokens.endIndex else { return }
    for statement in tokens[(begin + 1)...].split(whereSeparator: { $0.text == ";" }) {
      if let write = Self.write(Array(statement)) { writes.append(write) }
    }
  }

  private mutating func readEvent(_ tokens: ArraySlice<SQLToken>) {
    let events = ["INSERT", "UPDATE", "DELETE"]
    guard let place = tokens.firstIndex(where: { events.contains($0.folded) }) else { return }
    event = tokens[place].folded
    let times = ["BEFORE", "AFTER", "INSTEAD"]
    time = tokens[..<place].last { times.contains($0.folded) }?.folded ?? time
    isConditional = tokens.contains { $0.folded == "WHEN" }
    let on = tokens[place...].firstIndex { $0.folded == "ON" } ?? tokens.endIndex
    for token in tokens[place..<on].dropFirst() where token.folded != "OF" {
      if let name = token.name { watched.insert(name.lowercased()) }
    }
  }

  private static func write(_ tokens: [SQLToken]) -> Write? {
    guard let word = tokens.first?.folded, ["INSERT", "REPLACE", "UPDATE", "DELETE"].contains(word),
      case (let kind, let table?) = StatementText.write(tokens, at: 0)
    else { return nil }
    switch kind {
    case .insert: return Write(operation: .insert, table: table)
    case .delete: return Write(operation: .delete, table: table)
    default:
      let set = tokens.firstIndex { $0.folded == "SET" } ?? tokens.endIndex
      return Write(operation: .update, table: table, columns: columns(setBy: tokens[set...].dropFirst()))
    }
  }

  private static func columns(setBy tokens: ArraySlice<SQLToken>) -> Set<String> {
    var columns: Set<String> = []
    var (depth, isTarget) = (0, true)
    for token in tokens {
      if depth == 0, token.folded == "WHERE" || token.folded == "FROM" { break }
      switch token.text {
      case "(": depth += 1
      case ")": depth -= 1
      case "=" where depth == 0: isTarget = false
      case "," where depth == 0: isTarget = true
      default: if isTarget, let name = token.name { columns.insert(name.lowercased()) }
      }
    }
    return columns
  }
}
