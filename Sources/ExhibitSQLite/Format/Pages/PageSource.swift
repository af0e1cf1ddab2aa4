/// Whence the pages of one state of a database are read.
package protocol PageSource: AnyObject {
  /// Bytes, a power of two from 512 to 65536.
  var pageSize: Int { get }
  /// The number of pages in the state; the first one has the number 1.
  var pageCount: UInt32 { get }

  /// A page of 1 to `pageCount`.
  ///
  /// - Throws: `DamagedPage` for any other number, or `SystemError`.
  func page(_ number: UInt32) throws -> DatabasePage
}

/// The bytes of one page, which stay as they are while somebody holds the object.
package final class DatabasePage {
  package let number: UInt32
  package let bytes: UnsafeRawBufferPointer
  private let memory: UnsafeMutableRawBufferPointer

  /// Has `fill` write all the bytes.
  package init(
    _ number: UInt32, pageSize: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void
  ) rethrows {
    memory = .allocate(byteCount: pageSize, alignment: 16)
    bytes = UnsafeRawBufferPointer(memory)
    self.number = number
    // `deinit` runs when this fails, as every property has its value.
    try fill(memory)
  }

  deinit { memory.deallocate() }
}

/// Pages that were read lately, by where they lie.
final class PageCache {
  /// Bytes of pages that are kept.
  private static let capacity = 16 << 20

  private var places: [Int]
  private var pages: [DatabasePage?]

  init(pageSize: Int) {
    let count = Self.capacity / pageSize
    places = Array(repeating: -1, count: count)
    pages = Array(repeating: nil, count: count)
  }

  /// The page at a place, which `read` reads when it is not here.
  func page(at place: Int, _ read: () throws -> DatabasePage) rethrows -> DatabasePage {
    let slot = place & (places.count - 1)
    if places[slot] == place, let page = pages[slot] { return page }
    let page = try read()
    places[slot] = place
    pages[slot] = page
    return page
  }
}
