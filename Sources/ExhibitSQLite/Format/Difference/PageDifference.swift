/// Finds the rows that differ between successive states of a database, from the pages that differ.
///
/// It knows the tree of each page, so that a transaction costs only what it wrote.
package final class PageDifference {
  private static let rebuildLimit = 64

  package private(set) var state: DatabaseState
  package private(set) var schema: [SchemaEntry]
  private var map: PageMap
  private var owners: OverflowOwners?
  /// Tables not completely read for `owners`.
  private var ownerDamage: [SchemaEntry: DamagedPage] = [:]
  /// Unreadable trees, by root.
  private var lost: [UInt32: DamagedPage] = [:]
  private var rebuilds = 0

  /// - Throws: `DamagedPage` for the schema, `SystemError`.
  package init(_ state: DatabaseState) throws {
    self.state = state
    schema = try state.schema()
    map = PageMap(parents: PageTable(pageCount: state.pageCount))
    for root in Self.roots(of: schema, in: state) { try enter(root, of: state) }
  }

  private static func roots(of schema: [SchemaEntry], in state: DatabaseState) -> [UInt32] {
    var known: Set<UInt32> = []
    return ((state.pageCount > 0 ? [1] : []) + schema.map(\.rootPage)).filter {
      $0 > 0 && known.insert($0).inserted
    }
  }

  private func enter(_ root: UInt32, of state: DatabaseState) throws {
    do {
      try map.add(TreePieces(state, root: root), root: root)
      lost[root] = nil
    } catch let damage as DamagedPage {
      lost[root] = damage
    }
  }

  /// Goes to another state and reports the rows that differ; after an error the object is unusable.
  ///
  /// - Parameters:
  ///   - changed: The pages that may differ.
  ///   - pairing: Matches tables when the schema was written.
  ///   - keyColumns: The number of key columns of a table WITHOUT ROWID, if known.
  package func advance(
    to new: DatabaseState, changed: ChangedPages,
    pairing: ([SchemaEntry], [SchemaEntry]) -> [TablePair] = TablePair.all,
    keyColumns: (SchemaEntry) -> Int? = { _ in nil },
    visit: (TablePair, RowChange) throws -> Void
  ) throws -> StateChanges {
    var step = StateStep(old: state, new: new, changed: changed, map: map)
    let isSchemaWritten = try step.isSchemaWritten(map)
    let newSchema = isSchemaWritten ? try new.schema() : schema
    var changes = StateChanges(oldSchema: schema, newSchema: newSchema)
    let pairs = isSchemaWritten ? pairing(schema, newSchema) : nil
    try step.plan(schema, newSchema, pairs, map, lost)
    if try !step.unexplained(map).isEmpty {
      if owners == nil, try !step.explainedWithoutOwners(map) { owners = try makeOwners() }
      if let owners, step.mark(owners, map) { try step.plan(schema, newSchema, pairs, map, lost) }
    }
    changes.tables = try step.tableChanges(keyColumns: keyColumns, visit: visit)
    if let owners, !ownerDamage.isEmpty, try step.isUnexplained(by: owners, map) {
      noteDamage(in: &changes.tables)
    }
    try moveOn(&step, newSchema, to: new)
    return changes
  }

  private func makeOwners() throws -> OverflowOwners {
    var owners = OverflowOwners(byPage: PageTable(pageCount: state.pageCount))
    for entry in schema where entry.isTable && entry.rootPage > 0 && lost[entry.rootPage] == nil {
      do {
        try owners.add(TreePieces(state, root: entry.rootPage).pieces, of: state)
      } catch let damage as DamagedPage {
        ownerDamage[entry] = damage
      }
    }
    return owners
  }

  /// Marks tables that were not completely read: a row may have been overwritten in place.
  private func noteDamage(in tables: inout [TableChanges]) {
    for (entry, damage) in ownerDamage.sorted(by: { $0.key.rootPage < $1.key.rootPage }) {
      if let index = tables.firstIndex(where: { $0.pair.old == entry }) {
        tables[index].problem = tables[index].problem ?? .damaged(damage)
      } else if schema.contains(entry) {
        tables.append(TableChanges(pair: TablePair(old: entry, new: entry), problem: .damaged(damage)))
      }
    }
  }

  private func moveOn(_ step: inout StateStep, _ newSchema: [SchemaEntry], to new: DatabaseState) throws {
    if owners != nil { try step.leave(&owners) }
    for root in step.failedRoots { lost[root] = nil }
    map.removeTreesIfAny(Set(step.failedRoots))
    for tree in step.trees { tree.leave(&map) }
    map.parents.resize(to: new.pageCount)
    owners?.byPage.resize(to: new.pageCount)
    var failed = Set(step.failedNewRoots)
    for tree in step.trees {
      guard let root = tree.newRoot else { continue }
      do {
        try tree.enter(&map)
        lost[root] = nil
      } catch is DamagedPage {
        failed.insert(root)
      }
    }
    map.removeTreesIfAny(failed)
    if owners != nil { try step.enter(&owners) }
    (state, schema) = (new, newSchema)
    let roots = Set(Self.roots(of: newSchema, in: new))
    for root in lost.keys where !roots.contains(root) { lost[root] = nil }
    for root in failed.sorted() where roots.contains(root) { try rebuild(root) }
  }

  private func rebuild(_ root: UInt32) throws {
    guard rebuilds < Self.rebuildLimit else {
      lost[root] = lost[root] ?? DamagedPage(root, .usedTwice)
      return
    }
    rebuilds += 1
    try enter(root, of: state)
  }
}

extension PageMap {
  fileprivate mutating func removeTreesIfAny(_ roots: Set<UInt32>) {
    if !roots.isEmpty { removeTrees(roots) }
  }
}
