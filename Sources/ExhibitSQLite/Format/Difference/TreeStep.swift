/// One tree in two states, and the parts of it that they do not have in common.
///
/// A page is looked into in the old state when it or one below it differs, in the new state also when the old tree did
/// not lead to it from such a page. What only one of them leads to is dropped or added with all below it; what both lead
/// to is the same.
struct TreeStep {
  /// `nil` when the tree is made.
  let oldRoot: UInt32?
  /// `nil` when the tree is dropped.
  let newRoot: UInt32?
  /// The table whose rows the tree has; `nil` for an index.
  let table: TablePair?
  private(set) var old: TreePieces?
  private(set) var new: TreePieces?

  /// Finds the pieces of both states.
  ///
  /// - Parameters:
  ///   - isMarked: True when a page differs, or one below it in the old state.
  ///   - frontier: two empty sets with room for the pages of both states, which are given back empty.
  /// - Throws: `DamagedPage`, `SystemError`.
  mutating func compare(
    _ oldState: DatabaseState, _ newState: DatabaseState, isMarked: (UInt32) -> Bool,
    frontier: inout (old: PageSet, new: PageSet)
  ) throws {
    defer {
      frontier.old.removeAll()
      frontier.new.removeAll()
    }
    if let oldRoot {
      // A dropped table differs everywhere.
      let pieces = try TreePieces(oldState, root: oldRoot) { newRoot == nil || isMarked($0) }
      for piece in pieces.pieces where piece.kind == .subtree { frontier.old.insert(piece.page) }
      old = pieces
    }
    if let newRoot {
      var pieces = try TreePieces(newState, root: newRoot) { isMarked($0) || !frontier.old.contains($0) }
      for piece in pieces.pieces where piece.kind == .subtree { frontier.new.insert(piece.page) }
      try pieces.expandSubtrees { _ in false }
      new = pieces
    }
    try old?.expandSubtrees { !frontier.new.contains($0) }
  }

  /// Takes the old state's pages out of the map.
  func leave(_ map: inout PageMap) {
    guard let old, let oldRoot else { return }
    for link in old.links { map.parents[link.child] = nil }
    map.parents[oldRoot] = nil
  }

  /// Enters the new state's pages into the map, which all trees have left.
  func enter(_ map: inout PageMap) throws {
    guard let new, let newRoot else { return }
    try map.add(newRoot, below: newRoot)
    for link in new.links { try map.add(link.child, below: link.parent) }
  }
}
