/// The pages of one state of a database.
package protocol PageSource: AnyObject {
  /// A power of two from 512 to 65536.
  var pageSize: Int { get }
  var pageCount: UInt32 { get }

  /// - Parameter number: From 1 to `pageCount`; `DamagedPage` is thrown for any other.
  func page(_ number: UInt32) throws -> DatabasePage
}

/// One page's bytes, constant for the object's life.
package final class DatabasePage {
  package let number: UInt32
  package let bytes: UnsafeRawBufferPointer
  private let memory: UnsafeMutableRawBufferPointer

  package init(
    _ number: UInt32, pageSize: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void
  ) rethrows {
    memory = .allocate(byteCount: pageSize, alignment: 16)
    bytes = UnsafeRawBufferPointer(memory)
    self.number = number
    try fill(memory)
  }

  deinit { memory.deallocate() }
}

/// Keeps recently read pages.
final class PageCache {
  /// Bytes.
  private static let capacity = 16 << 20

  private var places: [Int]
  private var pages: [DatabasePage?]

  init(pageSize: Int) {
    let count = Self.capacity / pageSize
    places = Array(repeating: -1, count: count)
    pages = Array(repeating: nil, count: count)
  }

  func page(at place: Int, _ read: () throws -> DatabasePage) rethrows -> DatabasePage {
    let slot = place & (places.count - 1)
    if places[slot] == place, let page = pages[slot] { return page }
    let page = try read()
    places[slot] = place
    pages[slot] = page
    return page
  }
}
