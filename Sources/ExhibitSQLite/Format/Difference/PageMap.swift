/// Which page of a tree leads to which, for all trees of one state of a database.
struct PageMap {
  /// By number: the page above, a root's own number, 0 for a page of no tree.
  private var parents: [UInt32]

  init(pageCount: UInt32) {
    parents = Array(repeating: 0, count: Int(pageCount) + 1)
  }

  /// Pages behind the end are of no tree.
  mutating func resize(to pageCount: UInt32) {
    let count = Int(pageCount) + 1
    if count < parents.count {
      parents.removeLast(parents.count - count)
    } else {
      parents += repeatElement(0, count: count - parents.count)
    }
  }

  /// The page above; `nil` for a page of no tree, and a root's own number.
  func parent(of page: UInt32) -> UInt32? {
    guard page < parents.count, parents[Int(page)] > 0 else { return nil }
    return parents[Int(page)]
  }

  /// The root of the tree that a page belongs to.
  func root(of page: UInt32) -> UInt32? {
    var page = page
    for _ in 0...DatabaseState.depthLimit + 1 {
      guard let parent = parent(of: page) else { return nil }
      if parent == page { return page }
      page = parent
    }
    return nil
  }

  /// Says that a page is of no tree.
  mutating func remove(_ page: UInt32) {
    if page < parents.count { parents[Int(page)] = 0 }
  }

  /// - Throws: `DamagedPage` when the page is another tree's already, or none.
  mutating func add(_ page: UInt32, below parent: UInt32) throws {
    guard page > 0, page < parents.count else { throw DamagedPage(page, .missing) }
    guard parents[Int(page)] == 0 else { throw DamagedPage(page, .usedTwice) }
    parents[Int(page)] = parent
  }

  /// Enters a tree with all its pages, or nothing of it.
  mutating func add(_ tree: TreePieces, root: UInt32) throws {
    try add(root, below: root)
    for (count, link) in tree.links.enumerated() {
      do { try add(link.child, below: link.parent) } catch {
        for link in tree.links[..<count] { remove(link.child) }
        remove(root)
        throw error
      }
    }
  }

  /// Forgets all pages of some trees, and pages that no root leads to any more.
  mutating func removeTrees(_ roots: Set<UInt32>) {
    let pages = parents.indices.filter { page in
      parents[page] > 0 && root(of: UInt32(page)).map(roots.contains) ?? true
    }
    for page in pages { parents[page] = 0 }
  }
}

/// Numbers of pages.
struct PageSet {
  private var words: [UInt64]
  /// In the order of insertion.
  private(set) var members: [UInt32] = []

  init(pageCount: UInt32) {
    words = Array(repeating: 0, count: Int(pageCount) / 64 + 1)
  }

  func contains(_ page: UInt32) -> Bool {
    let word = Int(page / 64)
    return word < words.count && words[word] & (1 << UInt64(page % 64)) != 0
  }

  /// - Returns: whether it was not in the set; pages that are too high are never.
  @discardableResult mutating func insert(_ page: UInt32) -> Bool {
    let word = Int(page / 64)
    guard word < words.count, !contains(page) else { return false }
    words[word] |= 1 << UInt64(page % 64)
    members.append(page)
    return true
  }

  mutating func removeAll() {
    for page in members { words[Int(page / 64)] = 0 }
    members.removeAll(keepingCapacity: true)
  }
}
