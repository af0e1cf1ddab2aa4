/// One page of a b-tree.
///
/// Source: https://www.sqlite.org/fileformat2.html, section 1.6.
package struct BTreePage {
  let page: DatabasePage
  /// False for an index or a table WITHOUT ROWID.
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

  var childCount: Int { isLeaf ? 0 : cellCount + 1 }

  /// The page left of the cell with this index, or the rightmost.
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

  /// A cell with a row: any in a leaf or an index.
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
  var index: Int
  var rowid: Int64
  var payloadBytes: Int
  var offset: Int
  var localBytes: Int
  /// 0 for none.
  var overflow: UInt32
}

extension UnsafeRawBufferPointer {
  /// A number of one to nine bytes (section 1.6); `nil` when it passes `end`.
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
