/// One tree in two states, and the parts that differ.
///
/// A subtree that only one state reaches was removed or added; what both reach is the same.
struct TreeStep {
  /// `nil` when the tree is created.
  let oldRoot: UInt32?
  /// `nil` when the tree is dropped.
  let newRoot: UInt32?
  /// `nil` for an index.
  let table: TablePair?
  private(set) var old: TreePieces?
  private(set) var new: TreePieces?

  /// - Parameters:
  ///   - isMarked: True when a page, or one below it in the old state, differs.
  ///   - frontier: Two empty sets of pages, for reuse.
  mutating func compare(
    _ oldState: DatabaseState, _ newState: DatabaseState, isMarked: (UInt32) -> Bool,
    frontier: inout (old: PageSet, new: PageSet)
  ) throws {
    defer {
      frontier.old.removeAll()
      frontier.new.removeAll()
    }
    if let oldRoot {
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

  func leave(_ map: inout PageMap) {
    guard let old, let oldRoot else { return }
    for link in old.links { map.parents[link.child] = nil }
    map.parents[oldRoot] = nil
  }

  /// Enters the new state's pages into the map, which all trees must have left.
  func enter(_ map: inout PageMap) throws {
    guard let new, let newRoot else { return }
    try map.add(newRoot, below: newRoot)
    for link in new.links { try map.add(link.child, below: link.parent) }
  }
}
