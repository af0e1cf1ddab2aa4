import ExhibitSQLite
import ExhibitSystem
import ReportModel

/// Tables that were renamed between two schemas.
package struct RenamedTables {
  private let formerNames: [SchemaName: String]

  init(_ pairs: [TablePair]) {
    let named = pairs.compactMap { pair in pair.formerName.map { (SchemaName(pair.name), $0) } }
    formerNames = Dictionary(named) { $1 }
  }

  /// Compares two files without reading rows.
  ///
  /// - Throws: `ComparedDatabase.Unreadable`, `Overdue`.
  package init(from before: String, to after: String, limits: InspectionLimits) throws {
    let clock = ThreadDeadline(seconds: limits.totalTime)
    let old = try ComparedDatabase(before, clock: clock, limits: limits)
    let new = try ComparedDatabase(after, clock: clock, limits: limits)
    let pairs = SchemaPairs(old, new)
    self.init(pairs.tables + pairs.virtualTables)
  }

  /// Joins a dropped and a created table into a renamed one, and drops consequences of the new name.
  package func applied(to changes: [SchemaChange]) -> [SchemaChange] {
    guard !formerNames.isEmpty else { return changes }
    var dropped: [SchemaName: SchemaChange] = [:]
    for change in changes where change.type == "table" && change.fate == .dropped {
      dropped[SchemaName(change.name)] = change
    }
    let renamed = changes.compactMap { change -> SchemaChange? in
      guard change.type == "table", change.fate == .created,
        let former = formerNames[SchemaName(change.name)],
        let gone = dropped[SchemaName(former)]
      else { return change.type != "table" && follows(change) ? nil : change }
      var change = change
      (change.before, change.formerName) = (gone.before, former)
      change.fate = follows(change) ? .renamed : .redefined
      return change
    }
    let told = Set(renamed.compactMap(\.formerName).map { SchemaName($0) })
    return renamed.filter { change in
      !(change.type == "table" && change.fate == .dropped && told.contains(SchemaName(change.name)))
    }
  }

  /// True when two statements differ only in table names, as `ALTER TABLE` changes them.
  private func follows(_ change: SchemaChange) -> Bool {
    guard let before = change.before, let after = change.after else { return false }
    let (old, new) = (SQLToken.all(in: before), SQLToken.all(in: after))
    guard old.count == new.count else { return false }
    var (oldEnd, newEnd) = (before.startIndex, after.startIndex)
    for place in old.indices {
      let (from, to) = (old[place].text, new[place].text)
      guard before[oldEnd..<from.startIndex] == after[newEnd..<to.startIndex],
        from == to || isNewName(new, place, of: old[place], change.type)
      else { return false }
      (oldEnd, newEnd) = (from.endIndex, to.endIndex)
    }
    return before[oldEnd...] == after[newEnd...]
  }

  /// In an index, columns may have a table's name.
  private func isNewName(_ tokens: [SQLToken], _ place: Int, of old: SQLToken, _ type: String) -> Bool {
    let token = tokens[place]
    guard let name = token.name, let former = formerNames[SchemaName(name)],
      old.name.map({ SchemaName($0) }) == SchemaName(former)
    else { return false }
    let previous = place > 0 ? tokens[place - 1].folded : ""
    let isFollowedByColumn = place + 1 < tokens.count && tokens[place + 1].folded == "."
    switch type {
    case "index": return previous == "ON" || isFollowedByColumn
    case "table": return previous == "TABLE" || previous == "EXISTS" || token.text.hasPrefix("\"")
    default: return token.text.hasPrefix("\"")
    }
  }
}
