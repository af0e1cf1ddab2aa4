extension TablePair {
  /// Brings together the tables of two schemas: those of the same name, then, as renamed ones, those of the same root
  /// page that are declared the same behind the name.
  ///
  /// - Parameters:
  ///   - old: The entries of the earlier state. Those without a tree, such as virtual tables, are left out.
  ///   - new: The entries of the later state.
  package static func all(from old: [SchemaEntry], to new: [SchemaEntry]) -> [TablePair] {
    let (before, after) = (old.filter(hasTree), new.filter(hasTree))
    let names = Dictionary(before.map { ($0.name, $0) }) { first, _ in first }
    let kept = Set(after.map(\.name))
    let gone = before.filter { !kept.contains($0.name) }
    let roots = Dictionary(gone.map { ($0.rootPage, $0) }) { first, _ in first }
    var paired: Set<SchemaEntry> = []
    var pairs = after.map { table in
      var former = names[table.name] ?? roots[table.rootPage].flatMap { isRenamed($0, table) ? $0 : nil }
      if let found = former, !paired.insert(found).inserted { former = nil }
      return TablePair(old: former, new: table)
    }
    pairs += before.filter { !paired.contains($0) }.map { TablePair(old: $0, new: nil) }
    return pairs
  }

  /// SQLite writes the new name of a renamed table in quotes, and leaves the rest; another table that was made in the page
  /// of a dropped one has other columns or a name without quotes, as a rule.
  private static func isRenamed(_ old: SchemaEntry, _ new: SchemaEntry) -> Bool {
    guard let former = old.sql, let sql = new.sql else { return false }
    let name = new.name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    return sql.hasPrefix("CREATE TABLE \"\(name)\"")
      && former.drop { $0 != "(" } == sql.drop { $0 != "(" }
  }

  private static func hasTree(_ entry: SchemaEntry) -> Bool { entry.isTable && entry.rootPage > 0 }
}
