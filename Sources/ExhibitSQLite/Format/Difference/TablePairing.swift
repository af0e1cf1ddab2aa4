extension TablePair {
  /// Brings together the tables of two schemas: those of the same name, then, as renamed ones, those of the same root
  /// page.
  ///
  /// - Parameters:
  ///   - old: of the earlier state. Entries without a tree, such as virtual tables, are left out.
  ///   - new: of the later state.
  package static func all(from old: [SchemaEntry], to new: [SchemaEntry]) -> [TablePair] {
    let (before, after) = (old.filter(hasTree), new.filter(hasTree))
    let names = Dictionary(before.map { ($0.name, $0) }) { first, _ in first }
    let kept = Set(after.map(\.name))
    let roots = Dictionary(before.filter { !kept.contains($0.name) }.map { ($0.rootPage, $0) }) { first, _ in
      first
    }
    var paired: Set<SchemaEntry> = []
    var pairs = after.map { table in
      var former = names[table.name] ?? roots[table.rootPage]
      if let found = former, !paired.insert(found).inserted { former = nil }
      return TablePair(old: former, new: table)
    }
    pairs += before.filter { !paired.contains($0) }.map { TablePair(old: $0, new: nil) }
    return pairs
  }

  private static func hasTree(_ entry: SchemaEntry) -> Bool { entry.isTable && entry.rootPage > 0 }
}
