import ExhibitSQLite
import ReportModel

/// What the text of a CREATE TRIGGER says: its event, and what its program writes.
struct TriggerProgram {
  /// `BEFORE`, `AFTER` or `INSTEAD OF`; what says nothing is BEFORE.
  private(set) var time = "BEFORE"
  /// `INSERT`, `UPDATE` or `DELETE`.
  private(set) var event = ""
  /// Of UPDATE OF, in lower case; empty for any column.
  private(set) var watched: Set<String> = []
  private(set) var isConditional = false
  private(set) var writes: [Write] = []

  /// One statement of the program that changes rows which are there.
  struct Write: Equatable {
    var operation: RowOperation
    /// In lower case.
    var table: String
    /// Those that an update sets, in lower case.
    var columns: Set<String> = []
  }

  init(_ sql: String) {
    let tokens = SQLToken.all(in: sql)
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
    guard let word = tokens.first?.folded else { return nil }
    switch word {
    case "INSERT", "REPLACE":
      guard let into = tokens.firstIndex(where: { $0.folded == "INTO" }) else { return nil }
      return name(tokens, at: into + 1).map { Write(operation: .insert, table: $0) }
    case "DELETE": return name(tokens, at: 2).map { Write(operation: .delete, table: $0) }
    case "UPDATE":
      let place = tokens.dropFirst().first?.folded == "OR" ? 3 : 1
      guard let set = tokens.firstIndex(where: { $0.folded == "SET" }), let table = name(tokens, at: place)
      else { return nil }
      return Write(operation: .update, table: table, columns: columns(setBy: tokens[(set + 1)...]))
    default: return nil
    }
  }

  /// In a trigger, a table has no schema before it.
  private static func name(_ tokens: [SQLToken], at index: Int) -> String? {
    tokens.indices.contains(index) ? tokens[index].name?.lowercased() : nil
  }

  /// Names before `=`, at the beginning and behind commas; lists in parentheses too.
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

extension TriggerProgram {
  /// What both write so that their order matters, which SQLite does not define; `nil` where nothing is.
  ///
  /// Triggers with a condition may exclude each other, and rows that are only added do not disturb each other.
  func conflict(with other: TriggerProgram) -> (table: String, columns: Set<String>)? {
    guard time == other.time, event == other.event, !event.isEmpty, !isConditional, !other.isConditional,
      watched.isEmpty || other.watched.isEmpty || !watched.isDisjoint(with: other.watched)
    else { return nil }
    for one in writes {
      for two in other.writes where one.table == two.table {
        switch (one.operation, two.operation) {
        case (.update, .update):
          let both = one.columns.intersection(two.columns)
          if !both.isEmpty { return (one.table, both) }
        case (.delete, .insert), (.insert, .delete), (.delete, .update), (.update, .delete):
          return (one.table, [])
        case (.insert, _), (_, .insert), (.delete, .delete): continue
        }
      }
    }
    return nil
  }
}
