/// One page of a b-tree: its kind, its cells, and the pages below it.
///
/// Source: https://www.sqlite.org/fileformat2.html, section 1.6.
package struct BTreePage {
  let page: DatabasePage
  /// True for a page of a table with rowids; false for one of an index or a table without.
  let hasRowids: Bool
  let isLeaf: Bool
  let cellCount: Int
  private let pointers: Int
  private let usableSize: Int
  private let payloadLimit: UInt64

  init(_ page: DatabasePage, state: DatabaseState) throws {
    self.page = page
    usableSize = state.usableSize
    payloadLimit = min(UInt64(Int32.max), UInt64(state.pageCount) * UInt64(state.usableSize))
    let start = page.number == 1 ? DatabaseHeader.byteCount : 0
    let kind = page.bytes[start]
    switch kind {
    case 13: (hasRowids, isLeaf) = (true, true)
    case 5: (hasRowids, isLeaf) = (true, false)
    case 10: (hasRowids, isLeaf) = (false, true)
    case 2: (hasRowids, isLeaf) = (false, false)
    default: throw DamagedPage(page.number, .otherKind(kind))
    }
    cellCount = page.bytes.half(start + 3)
    pointers = start + (isLeaf ? 8 : 12)
    guard pointers + 2 * cellCount <= usableSize else {
      throw DamagedPage(page.number, .cellOutside(index: 0))
    }
  }

  /// The number of pages below it.
  var childCount: Int { isLeaf ? 0 : cellCount + 1 }

  /// A page below, from 0 to `childCount - 1`: that left of the cell with the same index, or the rightmost.
  func child(_ index: Int) throws -> UInt32 {
    guard index < cellCount else { return page.bytes.word(pointers - 4) }
    return page.bytes.word(try offset(of: index, room: 4))
  }

  private func offset(of index: Int, room: Int) throws -> Int {
    guard index < cellCount else { throw DamagedPage(page.number, .cellOutside(index: index)) }
    let offset = page.bytes.half(pointers + 2 * index)
    guard offset >= pointers + 2 * cellCount, offset + room <= usableSize else {
      throw DamagedPage(page.number, .cellOutside(index: index))
    }
    return offset
  }

  /// A cell with a row: any of a leaf or of an index, not those between the pages of a table with rowids.
  func cell(_ index: Int) throws -> BTreeCell {
    var offset = try offset(of: index, room: isLeaf ? 1 : 5) + (isLeaf ? 0 : 4)
    let size = try varint(&offset, index)
    guard size <= payloadLimit else { throw DamagedPage(page.number, .payloadTooLong(bytes: size)) }
    let rowid = hasRowids ? Int64(bitPattern: try varint(&offset, index)) : 0
    let bytes = Int(size)
    let local = localBytes(of: bytes)
    guard offset + local + (local < bytes ? 4 : 0) <= usableSize else {
      throw DamagedPage(page.number, .cellOutside(index: index))
    }
    return BTreeCell(
      index: index, rowid: rowid, payloadBytes: bytes, offset: offset, localBytes: local,
      overflow: local < bytes ? page.bytes.word(offset + local) : 0)
  }

  /// The number of a payload's bytes in the page itself.
  private func localBytes(of payload: Int) -> Int {
    let most = hasRowids ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
    if payload <= most { return payload }
    let least = (usableSize - 12) * 32 / 255 - 23
    let some = least + (payload - least) % (usableSize - 4)
    return some <= most ? some : least
  }

  private func varint(_ offset: inout Int, _ index: Int) throws -> UInt64 {
    guard let value = page.bytes.varint(&offset, end: usableSize) else {
      throw DamagedPage(page.number, .cellOutside(index: index))
    }
    return value
  }
}

/// The place of a row in its page.
struct BTreeCell {
  /// Its number among the cells of the page.
  var index: Int
  var rowid: Int64
  /// The whole payload's, also of what stands in overflow pages.
  var payloadBytes: Int
  /// The place where the payload begins.
  var offset: Int
  /// The number of its bytes in the page.
  var localBytes: Int
  /// The first overflow page, 0 when there is none.
  var overflow: UInt32
}

extension UnsafeRawBufferPointer {
  /// A number of one to nine bytes, and moves `offset` behind it; `nil` when it reaches over `end`, which is no
  /// more than the count of bytes (section 1.6).
  func varint(_ offset: inout Int, end: Int) -> UInt64? {
    guard offset < end else { return nil }
    let first = self[offset]
    offset += 1
    if first < 0x80 { return UInt64(first) }
    var value = UInt64(first & 0x7f)
    for count in 2...9 {
      guard offset < end else { return nil }
      let byte = self[offset]
      offset += 1
      if count == 9 { return value << 8 | UInt64(byte) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { return value }
    }
    return value
  }
}
