/// One state of a database, read from its pages without SQLite; the file may be hostile.
package final class DatabaseState {
  /// Larger databases are not read: 64 GB of usual pages.
  package static let pageLimit = 1 << 24
  /// SQLite's limit of a tree's levels.
  static let depthLimit = 20

  package enum Encoding: UInt32, Sendable {
    case utf8 = 1
    case utf16LittleEndian, utf16BigEndian
  }

  package let pages: any PageSource
  package let pageCount: UInt32
  package let usableSize: Int
  package let encoding: Encoding
  package let isAutoVacuum: Bool

  package init(_ pages: any PageSource) throws {
    self.pages = pages
    pageCount = pages.pageCount
    guard pageCount <= Self.pageLimit else { throw DamagedPage(1, .tooManyPages) }
    guard pageCount > 0 else {
      (usableSize, encoding, isAutoVacuum) = (pages.pageSize, .utf8, false)
      return
    }
    let first = try pages.page(1)
    guard let header = DatabaseHeader(Array(first.bytes.prefix(DatabaseHeader.byteCount))),
      header.pageSize == pages.pageSize, pages.pageSize - Int(header.reservedBytes) >= 480
    else { throw DamagedPage(1, .noHeader) }
    usableSize = pages.pageSize - Int(header.reservedBytes)
    // 0 before anything is created.
    guard let encoding = Encoding(rawValue: max(header.encoding, 1)) else {
      throw DamagedPage(1, .noHeader)
    }
    self.encoding = encoding
    isAutoVacuum = header.isAutoVacuum
  }

  func treePage(_ number: UInt32) throws -> BTreePage {
    guard number > 0, number <= pageCount else { throw DamagedPage(number, .missing) }
    return try BTreePage(pages.page(number), state: self)
  }

  func overflowPages(_ cell: BTreeCell) -> Int {
    (cell.payloadBytes - cell.localBytes + usableSize - 5) / (usableSize - 4)
  }

  /// The page of the file locks, without content (section 1.4).
  var lockBytePage: UInt32 { UInt32(0x4000_0000 / pages.pageSize + 1) }

  /// True for a page of auto_vacuum with others' parents (section 1.8).
  func isPointerMap(_ page: UInt32) -> Bool {
    guard isAutoVacuum, page > 1 else { return false }
    let group = UInt32(usableSize / 5 + 1)
    var map = (page - 2) / group * group + 2
    if map == lockBytePage { map += 1 }
    return map == page
  }
}
