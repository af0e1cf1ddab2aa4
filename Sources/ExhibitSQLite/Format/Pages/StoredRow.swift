import Glibc

/// A row in its page, decoded on demand.
package struct StoredRow {
  let state: DatabaseState
  let page: DatabasePage
  let cell: BTreeCell

  /// 0 in a table WITHOUT ROWID.
  package var rowid: Int64 { cell.rowid }
  package var payloadBytes: Int { cell.payloadBytes }

  package func hasSamePayload(as other: StoredRow) throws -> Bool {
    guard cell.payloadBytes == other.cell.payloadBytes else { return false }
    if cell.overflow == 0, other.cell.overflow == 0 {
      guard let mine = page.bytes.baseAddress, let others = other.page.bytes.baseAddress else { return true }
      return memcmp(mine + cell.offset, others + other.cell.offset, cell.payloadBytes) == 0
    }
    var (mine, others) = (PayloadPieces(self), PayloadPieces(other))
    var a = UnsafeRawBufferPointer(start: nil, count: 0)
    var b = a
    while true {
      if a.isEmpty {
        guard let piece = try mine.next() else { return true }
        a = piece
      }
      if b.isEmpty {
        guard let piece = try others.next() else { return true }
        b = piece
      }
      let count = min(a.count, b.count)
      guard let left = a.baseAddress, let right = b.baseAddress, memcmp(left, right, count) == 0 else {
        return false
      }
      a = UnsafeRawBufferPointer(rebasing: a.dropFirst(count))
      b = UnsafeRawBufferPointer(rebasing: b.dropFirst(count))
    }
  }

  func withPrefix<Result>(_ count: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    let count = min(count, cell.payloadBytes)
    if count <= cell.localBytes {
      return try body(UnsafeRawBufferPointer(rebasing: page.bytes[cell.offset..<cell.offset + count]))
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var pieces = PayloadPieces(self)
    while bytes.count < count, let piece = try pieces.next() { bytes += piece.prefix(count - bytes.count) }
    return try bytes.withUnsafeBytes(body)
  }
}

/// A payload's pieces: in the cell, then in overflow pages (section 1.6).
struct PayloadPieces {
  private let state: DatabaseState
  private let home: UInt32
  private var page: DatabasePage
  private var isFirst = true
  private let cell: BTreeCell
  private var left: Int
  private(set) var nextPage: UInt32

  init(_ row: StoredRow) {
    state = row.state
    page = row.page
    home = row.page.number
    cell = row.cell
    left = cell.payloadBytes
    nextPage = cell.overflow
  }

  /// A piece that is valid until the next call; `nil` after the last.
  mutating func next() throws -> UnsafeRawBufferPointer? {
    if isFirst {
      isFirst = false
      left -= cell.localBytes
      if cell.localBytes > 0 {
        return UnsafeRawBufferPointer(rebasing: page.bytes[cell.offset..<cell.offset + cell.localBytes])
      }
    }
    guard left > 0 else { return nil }
    guard nextPage > 0, nextPage <= state.pageCount else { throw DamagedPage(home, .chainEnds) }
    page = try state.pages.page(nextPage)
    nextPage = page.bytes.word(0)
    let count = min(left, state.usableSize - 4)
    left -= count
    return UnsafeRawBufferPointer(rebasing: page.bytes[4..<4 + count])
  }

  mutating func skip() throws {
    guard nextPage > 0, nextPage <= state.pageCount else { throw DamagedPage(home, .chainEnds) }
    nextPage = try state.pages.page(nextPage).bytes.word(0)
  }
}
