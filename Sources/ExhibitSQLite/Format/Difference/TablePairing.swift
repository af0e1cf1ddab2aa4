extension TablePair {
  /// Pairs tables by name, then renamed ones by root page and equal declaration; those without a tree are left out.
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

  /// SQLite quotes a renamed table's new name and keeps the rest.
  private static func isRenamed(_ old: SchemaEntry, _ new: SchemaEntry) -> Bool {
    guard let former = old.sql, let sql = new.sql else { return false }
    let name = new.name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    return sql.hasPrefix("CREATE TABLE \"\(name)\"")
      && former.drop { $0 != "(" } == sql.drop { $0 != "(" }
  }

  private static func hasTree(_ entry: SchemaEntry) -> Bool { entry.isTable && entry.rootPage > 0 }
}
