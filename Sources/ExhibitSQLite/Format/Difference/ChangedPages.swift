import ExhibitSystem

/// Which pages differ between two states.
package enum ChangedPages: Sendable {
  /// Any of them: page sizes differ, or nothing is known.
  case all
  /// In ascending order.
  case some([UInt32])

  private static let chunkBytes = 1 << 20

  /// Compares two files byte by byte, as far as both have pages.
  package static func between(_ old: FilePages, _ new: FilePages) throws -> ChangedPages {
    guard old.pageSize == new.pageSize else { return .all }
    let count = Int(min(old.pageCount, new.pageCount))
    let pagesAtOnce = chunkBytes / old.pageSize
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * chunkBytes, alignment: 4096)
    defer { buffer.deallocate() }
    var changed: [UInt32] = []
    for first in stride(from: 0, to: count, by: pagesAtOnce) {
      let bytes = min(pagesAtOnce, count - first) * old.pageSize
      let before = UnsafeMutableRawBufferPointer(rebasing: buffer[..<bytes])
      let after = UnsafeMutableRawBufferPointer(rebasing: buffer[chunkBytes..<chunkBytes + bytes])
      try old.file.fill(before, at: first * old.pageSize)
      try new.file.fill(after, at: first * old.pageSize)
      let (left, right) = (UnsafeRawBufferPointer(before), UnsafeRawBufferPointer(after))
      if left.hasSameBytes(as: right) { continue }
      for offset in stride(from: 0, to: bytes, by: old.pageSize) {
        let page = offset..<offset + old.pageSize
        if UnsafeRawBufferPointer(rebasing: left[page]).hasSameBytes(as: .init(rebasing: right[page])) {
          continue
        }
        changed.append(UInt32(first + offset / old.pageSize + 1))
      }
    }
    return .some(changed)
  }
}
