/// A page number, or none, for each page of a state.
struct PageTable {
  /// 0 for none.
  private var entries: [UInt32]

  init(pageCount: UInt32) {
    entries = Array(repeating: 0, count: Int(pageCount) + 1)
  }

  mutating func resize(to pageCount: UInt32) {
    let count = Int(pageCount) + 1
    if count < entries.count {
      entries.removeLast(entries.count - count)
    } else {
      entries += repeatElement(0, count: count - entries.count)
    }
  }

  var pages: Range<UInt32> { 0..<UInt32(entries.count) }

  subscript(page: UInt32) -> UInt32? {
    get {
      guard page < entries.count, entries[Int(page)] > 0 else { return nil }
      return entries[Int(page)]
    }
    set { if page < entries.count { entries[Int(page)] = newValue ?? 0 } }
  }
}
