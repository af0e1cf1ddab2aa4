import ExhibitSystem

/// Two successive states of a database: which pages differ, and in which trees.
struct StateStep {
  let old: DatabaseState
  let new: DatabaseState
  private let changed: ChangedPages
  /// Changed pages and all above them; `nil` for all pages.
  private var marks: PageSet?
  private var touchedRoots: Set<UInt32> = []
  private(set) var trees: [TreeStep] = []
  /// Roots of trees that could not be compared.
  private(set) var failedRoots: [UInt32] = []
  private(set) var failedNewRoots: [UInt32] = []
  private var otherTables: [TableChanges] = []
  private var newPages: PageSet
  private let pageLimit: UInt32

  init(old: DatabaseState, new: DatabaseState, changed: ChangedPages, map: PageMap) {
    (self.old, self.new) = (old, new)
    let isComparable = old.pages.pageSize == new.pages.pageSize && old.usableSize == new.usableSize
    self.changed = isComparable ? changed : .all
    pageLimit = max(old.pageCount, new.pageCount)
    newPages = PageSet(pageCount: pageLimit)
    guard case .some(let pages) = self.changed else { return }
    marks = PageSet(pageCount: pageLimit)
    for page in pages { mark(page, map) }
    guard new.pageCount < old.pageCount else { return }
    for page in new.pageCount + 1...old.pageCount { mark(page, map) }
  }

  private mutating func mark(_ page: UInt32, _ map: PageMap) {
    var page = page
    guard map.parents[page] != nil else {
      marks?.insert(page)
      return
    }
    while marks?.insert(page) == true, let parent = map.parents[page] {
      guard parent != page else {
        touchedRoots.insert(page)
        return
      }
      page = parent
    }
  }

  private func isMarked(_ page: UInt32) -> Bool { marks?.contains(page) ?? true }

  /// True when the schema may have changed.
  func isSchemaWritten(_ map: PageMap) throws -> Bool {
    guard let marks, old.pageCount > 0, new.pageCount > 0 else { return true }
    guard marks.contains(1) else { return false }
    let (before, after) = (try old.pages.page(1), try new.pages.page(1))
    // The cookie counts schema changes; behind the header is the schema's root page.
    let tree = DatabaseHeader.byteCount..<old.pages.pageSize
    guard before.bytes.word(40) == after.bytes.word(40),
      UnsafeRawBufferPointer(rebasing: before.bytes[tree]).hasSameBytes(
        as: .init(rebasing: after.bytes[tree]))
    else { return true }
    return marks.members.contains { $0 != 1 && map.root(of: $0) == 1 }
  }

  mutating func plan(
    _ oldSchema: [SchemaEntry], _ newSchema: [SchemaEntry], _ pairs: [TablePair]?, _ map: PageMap,
    _ lost: [UInt32: DamagedPage]
  ) throws {
    (trees, failedRoots, failedNewRoots, otherTables) = ([], [], [], [])
    newPages.removeAll()
    var list = TreeList(isTouched: touchedRoots, all: marks == nil, lost: lost)
    list.add(oldSchema, newSchema, pairs, hasOld: old.pageCount > 0, hasNew: new.pageCount > 0)
    otherTables = list.tables
    failedNewRoots = list.failedNewRoots
    var frontier = (old: PageSet(pageCount: pageLimit), new: PageSet(pageCount: pageLimit))
    for var tree in list.trees {
      do {
        try tree.compare(old, new, isMarked: isMarked, frontier: &frontier)
        for link in tree.new?.links ?? [] { newPages.insert(link.child) }
        if let root = tree.newRoot { newPages.insert(root) }
        trees.append(tree)
      } catch let damage as DamagedPage {
        fail(tree, .damaged(damage))
      }
    }
  }

  private mutating func fail(_ tree: TreeStep, _ problem: TableChanges.Problem) {
    if let root = tree.oldRoot { failedRoots.append(root) }
    if let root = tree.newRoot { failedNewRoots.append(root) }
    if let pair = tree.table { otherTables.append(TableChanges(pair: pair, problem: problem)) }
  }

  // MARK: - Rows

  func tableChanges(
    keyColumns: (SchemaEntry) -> Int?, visit: (TablePair, RowChange) throws -> Void
  ) throws -> [TableChanges] {
    try trees.compactMap { tree in
      try tree.table.map { try rowChanges(of: tree, $0, keyColumns, visit) }
    } + otherTables
  }

  private func rowChanges(
    of tree: TreeStep, _ pair: TablePair, _ keyColumns: (SchemaEntry) -> Int?,
    _ visit: (TablePair, RowChange) throws -> Void
  ) throws -> TableChanges {
    try withoutActuallyEscaping(visit) { visit in
      var difference = RowDifference(
        pair, old: RowCursor(old, tree.old?.pieces ?? []), new: RowCursor(new, tree.new?.pieces ?? [])
      ) { try visit(pair, $0) }
      do {
        switch (tree.old?.hasRowids, tree.new?.hasRowids) {
        case (true, true): try difference.compareByRowid()
        case (false, false):
          let columns = pair.latest.flatMap(keyColumns)
          var keyed = KeyedRowDifference(difference, old: old, new: new, keyColumns: columns)
          try keyed.compare(&difference)
        default: try difference.compareNothing()
        }
      } catch let damage as DamagedPage {
        difference.changes.problem = .damaged(damage)
      } catch let problem as TableChanges.Problem {
        difference.changes.problem = problem
      }
      return difference.changes
    }
  }
}

// MARK: - Overflow pages

extension StateStep {
  /// Changed pages in no tree, maybe overflow pages.
  func unexplained(_ map: PageMap) throws -> [UInt32] {
    guard case .some(let pages) = changed else { return [] }
    return pages.filter { page in
      page <= old.pageCount && page <= new.pageCount && map.parents[page] == nil
        && !newPages.contains(page)
        && page != old.lockBytePage && !old.isPointerMap(page) && !new.isPointerMap(page)
    }
  }

  /// True when all of them are free, or overflow pages of changed leaves.
  func explainedWithoutOwners(_ map: PageMap) throws -> Bool {
    var left = Set(try unexplained(map))
    for tree in trees {
      try explain(&left, tree.old, of: old)
      try explain(&left, tree.new, of: new)
    }
    guard !left.isEmpty else { return true }
    try new.forEachFreelistPage { trunk in
      left.remove(trunk.number)
      let count = min(Int(trunk.bytes.word(4)), new.usableSize / 4 - 2)
      for index in 0..<max(count, 0) { left.remove(trunk.bytes.word(8 + 4 * index)) }
      return !left.isEmpty
    }
    return left.isEmpty
  }

  private func explain(_ left: inout Set<UInt32>, _ tree: TreePieces?, of state: DatabaseState) throws {
    guard let tree, !left.isEmpty else { return }
    do {
      try state.forEachOverflowPage(of: tree.pieces) { page, _ in left.remove(page) }
    } catch is DamagedPage {
    }
  }

  /// Marks the owners of changed overflow pages; true when any is new.
  mutating func mark(_ owners: OverflowOwners, _ map: PageMap) -> Bool {
    guard case .some(let pages) = changed else { return false }
    var isNew = false
    for page in pages {
      guard let owner = owners.byPage[page], !isMarked(owner) else { continue }
      mark(owner, map)
      isNew = true
    }
    return isNew
  }

  func isUnexplained(by owners: OverflowOwners, _ map: PageMap) throws -> Bool {
    try unexplained(map).contains { owners.byPage[$0] == nil }
  }

  func leave(_ owners: inout OverflowOwners?) throws {
    for tree in trees where tree.table != nil {
      try told { try owners?.remove(tree.old?.pieces ?? [], of: old) }
    }
  }

  func enter(_ owners: inout OverflowOwners?) throws {
    for tree in trees where tree.table != nil {
      try told { try owners?.add(tree.new?.pieces ?? [], of: new) }
    }
  }

  private func told(_ body: () throws -> Void) throws {
    do { try body() } catch is DamagedPage {
    }
  }
}
