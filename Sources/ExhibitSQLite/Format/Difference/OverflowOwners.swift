/// Each overflow page's owner: the page with the row whose payload continues there.
///
/// SQLite overwrites a part of a row in place, when only the overflow page differs.
struct OverflowOwners {
  var byPage: PageTable

  mutating func add(_ pieces: [TreePiece], of state: DatabaseState) throws {
    try state.forEachOverflowPage(of: pieces) { page, owner in
      byPage[page] = owner
    }
  }

  mutating func remove(_ pieces: [TreePiece], of state: DatabaseState) throws {
    try state.forEachOverflowPage(of: pieces) { page, owner in
      if byPage[page] == owner { byPage[page] = nil }
    }
  }
}

extension DatabaseState {
  /// Calls `body` with each overflow page and the page of its row.
  func forEachOverflowPage(of pieces: [TreePiece], _ body: (UInt32, UInt32) -> Void) throws {
    let rows = RowCursor(self, pieces)
    while let row = try rows.next() {
      var payload = PayloadPieces(row)
      guard payload.nextPage > 0 else { continue }
      for _ in 0..<overflowPages(row.cell) {
        let page = payload.nextPage
        guard page > 0, page <= pageCount else { throw DamagedPage(row.page.number, .chainEnds) }
        body(page, row.page.number)
        try payload.skip()
      }
    }
  }

  /// Passes the freelist's trunk pages until `body` returns `false` (section 1.5).
  func forEachFreelistPage(_ body: (_ trunk: DatabasePage) -> Bool) throws {
    guard pageCount > 0 else { return }
    var number = try pages.page(1).bytes.word(32)
    var count: UInt32 = 0
    while number > 0, number <= pageCount, count < pageCount {
      let trunk = try pages.page(number)
      guard body(trunk) else { return }
      number = trunk.bytes.word(0)
      count += 1
    }
  }
}
