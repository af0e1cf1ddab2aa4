/// The trees that a step must compare.
struct TreeList {
  private let touched: Set<UInt32>
  private let isAllTouched: Bool
  private let lost: [UInt32: DamagedPage]
  private var oldRoots: Set<UInt32> = []
  private var newRoots: Set<UInt32> = []
  private(set) var trees: [TreeStep] = []
  private(set) var failedNewRoots: [UInt32] = []
  /// Changes without a comparison: of redeclared tables, and of trees that cannot be compared.
  private(set) var tables: [TableChanges] = []

  init(isTouched touched: Set<UInt32>, all: Bool, lost: [UInt32: DamagedPage]) {
    self.touched = touched
    isAllTouched = all
    self.lost = lost
  }

  mutating func add(
    _ oldSchema: [SchemaEntry], _ newSchema: [SchemaEntry], _ pairs: [TablePair]?, hasOld: Bool, hasNew: Bool
  ) {
    add(hasOld ? 1 : nil, hasNew ? 1 : nil, nil)
    guard let pairs else {
      for entry in oldSchema where entry.rootPage > 0 && isOfInterest(entry.rootPage) {
        add(entry.rootPage, entry.rootPage, entry.isTable ? TablePair(old: entry, new: entry) : nil)
      }
      return
    }
    for pair in pairs { add(Self.root(of: pair.old), Self.root(of: pair.new), pair) }
    let (before, after) = (Self.indexRoots(of: oldSchema), Self.indexRoots(of: newSchema))
    for root in before { add(root, after.contains(root) ? root : nil, nil) }
    for root in after where !before.contains(root) { add(nil, root, nil) }
  }

  private func isOfInterest(_ root: UInt32) -> Bool {
    isAllTouched || touched.contains(root) || lost[root] != nil
  }

  private static func root(of entry: SchemaEntry?) -> UInt32? {
    entry.flatMap { $0.rootPage > 0 ? $0.rootPage : nil }
  }

  private static func indexRoots(of schema: [SchemaEntry]) -> Set<UInt32> {
    Set(schema.lazy.filter { !$0.isTable && $0.rootPage > 0 }.map(\.rootPage))
  }

  private mutating func add(_ oldRoot: UInt32?, _ newRoot: UInt32?, _ table: TablePair?) {
    guard oldRoot != nil || newRoot != nil else { return }
    let problem = problem(oldRoot, newRoot)
    // A root that two tables claim is the first one's.
    if let oldRoot, oldRoot == newRoot, problem == nil, !isAllTouched, !touched.contains(oldRoot) {
      if let table, table.old != table.new { tables.append(TableChanges(pair: table)) }
      return
    }
    guard let problem else {
      trees.append(TreeStep(oldRoot: oldRoot, newRoot: newRoot, table: table))
      return
    }
    if let newRoot, let oldRoot, lost[oldRoot] != nil, newRoot != oldRoot { failedNewRoots.append(newRoot) }
    if let table { tables.append(TableChanges(pair: table, problem: problem)) }
  }

  private mutating func problem(_ oldRoot: UInt32?, _ newRoot: UInt32?) -> TableChanges.Problem? {
    if let oldRoot, !oldRoots.insert(oldRoot).inserted { return .damaged(DamagedPage(oldRoot, .usedTwice)) }
    if let newRoot, !newRoots.insert(newRoot).inserted { return .damaged(DamagedPage(newRoot, .usedTwice)) }
    if let oldRoot, let damage = lost[oldRoot] { return .damaged(damage) }
    return nil
  }
}
