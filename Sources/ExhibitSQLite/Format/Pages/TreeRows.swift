extension DatabaseState {
  /// Passes each row of a table's tree until `body` returns `false`.
  ///
  /// Without rowids, rows begin with the key columns.
  package func forEachRow(of root: UInt32, _ body: (StoredRow) throws -> Bool) throws {
    let rows = RowCursor(self, try TreePieces(self, root: root).pieces)
    while let row = try rows.next() {
      guard try body(row) else { return }
    }
  }

  /// Levels below a page, by the leftmost path.
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

/// A part of a tree: a leaf, a row or a subtree.
struct TreePiece {
  enum Kind: UInt8 {
    case leaf
    /// A row between two pages of an index.
    case cell
    /// An unread page with all below it.
    case subtree
  }

  var page: UInt32
  var cell: UInt16
  var kind: Kind
  var height: UInt8
}

/// The parts of a tree, from its inner pages; leaves are not read.
struct TreePieces {
  private let state: DatabaseState
  private(set) var pieces: [TreePiece] = []
  private(set) var links: [(child: UInt32, parent: UInt32)] = []
  let hasRowids: Bool

  /// - Parameter isWanted: False for a page that stays a subtree.
  init(_ state: DatabaseState, root: UInt32, _ isWanted: (UInt32) -> Bool = { _ in true }) throws {
    self.state = state
    hasRowids = try state.treePage(root).hasRowids
    try visit(root, height: try state.height(of: root), isWanted)
  }

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
      // More links than pages: a page has two parents.
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

/// Reads the rows of parts of a tree in order.
final class RowCursor {
  private let state: DatabaseState
  private let pieces: [TreePiece]
  private var nextPiece = 0
  private var leaf: BTreePage?
  private var nextCell = 0
  private var lastRowid: Int64?
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
