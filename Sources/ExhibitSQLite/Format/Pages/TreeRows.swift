extension DatabaseState {
  /// Calls `body` with each row of a tree in its order, until it returns `false`.
  ///
  /// - Parameter root: the first page of a table. Rows of a table WITHOUT ROWID have their key columns first.
  /// - Throws: `DamagedPage` where the tree ends to be one, `SystemError`, and what `body` throws.
  package func forEachRow(of root: UInt32, _ body: (StoredRow) throws -> Bool) throws {
    let rows = RowCursor(self, try TreePieces(self, root: root).pieces)
    while let row = try rows.next() {
      guard try body(row) else { return }
    }
  }

  /// The levels below a page: 0 for a leaf, by the leftmost way down.
  func height(of root: UInt32) throws -> Int {
    var (number, height) = (root, 0)
    while true {
      let page = try treePage(number)
      if page.isLeaf { return height }
      guard height < Self.depthLimit else { throw DamagedPage(root, .tooDeep) }
      number = try page.child(0)
      height += 1
    }
  }
}

/// A part of a tree in its order.
struct TreePiece {
  enum Kind: UInt8 {
    /// All cells of a leaf.
    case leaf
    /// One row between two pages of an index.
    case cell
    /// A page, with all below it, that was not looked into.
    case subtree
  }

  var page: UInt32
  var cell: UInt16
  var kind: Kind
  /// Levels below the page.
  var height: UInt8
}

/// Walks through the pages between a root and its leaves; leaves are not read.
struct TreePieces {
  private let state: DatabaseState
  private(set) var pieces: [TreePiece] = []
  /// The pages whose parent was looked into, with it.
  private(set) var links: [(child: UInt32, parent: UInt32)] = []
  /// True when the tree is a table with rowids.
  let hasRowids: Bool

  /// - Parameter isWanted: True for a page to look into; the others become subtrees.
  init(_ state: DatabaseState, root: UInt32, _ isWanted: (UInt32) -> Bool = { _ in true }) throws {
    self.state = state
    hasRowids = try state.treePage(root).hasRowids
    try visit(root, height: try state.height(of: root), isWanted)
  }

  /// Puts what is below them in the place of the subtrees that are wanted; the others leave.
  mutating func expandSubtrees(_ isWanted: (UInt32) -> Bool) throws {
    let old = pieces
    pieces = []
    for piece in old {
      if piece.kind != .subtree {
        pieces.append(piece)
      } else if isWanted(piece.page) {
        try visit(piece.page, height: Int(piece.height)) { _ in true }
      }
    }
  }

  private mutating func visit(_ number: UInt32, height: Int, _ isWanted: (UInt32) -> Bool) throws {
    guard height > 0 else {
      pieces.append(TreePiece(page: number, cell: 0, kind: .leaf, height: 0))
      return
    }
    let page = try state.treePage(number)
    guard page.hasRowids == hasRowids, !page.isLeaf else { throw DamagedPage(number, .otherKind(0)) }
    for index in 0..<page.childCount {
      let child = try page.child(index)
      guard child > 0, child <= state.pageCount else { throw DamagedPage(child, .missing) }
      // Each page has one parent, so there are fewer links than pages.
      guard links.count < state.pageCount else { throw DamagedPage(child, .usedTwice) }
      links.append((child, number))
      if isWanted(child) {
        try visit(child, height: height - 1, isWanted)
      } else {
        pieces.append(TreePiece(page: child, cell: 0, kind: .subtree, height: UInt8(height - 1)))
      }
      guard !hasRowids, index < page.cellCount else { continue }
      pieces.append(TreePiece(page: number, cell: UInt16(index), kind: .cell, height: UInt8(height)))
    }
  }
}

/// Reads the rows of pieces of a tree one after the other.
final class RowCursor {
  private let state: DatabaseState
  private let pieces: [TreePiece]
  private var nextPiece = 0
  private var leaf: BTreePage?
  private var nextCell = 0
  private var lastRowid: Int64?
  /// Overflow pages that the rows so far claim.
  private var overflowPages = 0
  private var hasRowids: Bool?

  init(_ state: DatabaseState, _ pieces: [TreePiece]) {
    self.state = state
    self.pieces = pieces
  }

  func next() throws -> StoredRow? {
    while true {
      if let leaf, nextCell < leaf.cellCount {
        nextCell += 1
        return try row(nextCell - 1, of: leaf)
      }
      leaf = nil
      guard nextPiece < pieces.count else { return nil }
      let piece = pieces[nextPiece]
      nextPiece += 1
      let page = try state.treePage(piece.page)
      guard page.isLeaf == (piece.kind == .leaf), hasRowids ?? page.hasRowids == page.hasRowids else {
        throw DamagedPage(piece.page, .otherKind(page.isLeaf ? 1 : 0))
      }
      hasRowids = page.hasRowids
      if piece.kind == .cell { return try row(Int(piece.cell), of: page) }
      (leaf, nextCell) = (page, 0)
    }
  }

  private func row(_ index: Int, of page: BTreePage) throws -> StoredRow {
    let cell = try page.cell(index)
    if page.hasRowids {
      if let lastRowid, lastRowid >= cell.rowid { throw DamagedPage(page.page.number, .unordered) }
      lastRowid = cell.rowid
    }
    if cell.overflow != 0 || cell.localBytes < cell.payloadBytes {
      // Each page is in one chain at most.
      overflowPages += state.overflowPages(cell)
      guard overflowPages <= state.pageCount else { throw DamagedPage(page.page.number, .chainsTooLong) }
    }
    return StoredRow(state: state, page: page.page, cell: cell)
  }
}
