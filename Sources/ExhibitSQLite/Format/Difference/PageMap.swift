/// Each page's parent in its tree, for all trees of a state.
struct PageMap {
  /// A root has its own number.
  var parents: PageTable

  func root(of page: UInt32) -> UInt32? {
    var page = page
    for _ in 0...DatabaseState.depthLimit + 1 {
      guard let parent = parents[page] else { return nil }
      if parent == page { return page }
      page = parent
    }
    return nil
  }

  /// - Throws: `DamagedPage` for a page of another tree, or a missing one.
  mutating func add(_ page: UInt32, below parent: UInt32) throws {
    guard page > 0, parents.pages.contains(page) else { throw DamagedPage(page, .missing) }
    guard parents[page] == nil else { throw DamagedPage(page, .usedTwice) }
    parents[page] = parent
  }

  mutating func add(_ tree: TreePieces, root: UInt32) throws {
    try add(root, below: root)
    for (count, link) in tree.links.enumerated() {
      do { try add(link.child, below: link.parent) } catch {
        for link in tree.links[..<count] { parents[link.child] = nil }
        parents[root] = nil
        throw error
      }
    }
  }

  /// Removes the pages of some trees, and those that no root leads to.
  mutating func removeTrees(_ roots: Set<UInt32>) {
    let pages = parents.pages.filter { parents[$0] != nil && root(of: $0).map(roots.contains) ?? true }
    for page in pages { parents[page] = nil }
  }
}

struct PageSet {
  private var words: [UInt64]
  private(set) var members: [UInt32] = []

  init(pageCount: UInt32) {
    words = Array(repeating: 0, count: Int(pageCount) / 64 + 1)
  }

  func contains(_ page: UInt32) -> Bool {
    let word = Int(page / 64)
    return word < words.count && words[word] & (1 << UInt64(page % 64)) != 0
  }

  /// True when it is new; pages that are too high never are.
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
