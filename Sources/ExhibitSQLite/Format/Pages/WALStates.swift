package import ExhibitSystem

/// A database's states after each committed transaction of its WAL.
///
/// Source: https://www.sqlite.org/fileformat2.html, section 4.
package final class WALStates {
  package struct Transaction: Sendable, Equatable {
    /// From 1.
    package var number: Int
    /// From 0.
    package var frames: Range<Int>
    /// The database's size afterwards, in pages.
    package var databasePages: UInt32
  }

  package let index: WALIndex
  package let transactions: [Transaction]
  fileprivate let database: FilePages
  fileprivate let wal: any ReadableFile
  fileprivate let cache: PageCache
  private let framePages: [UInt32]
  /// Page and frame of each committed frame in one number, sorted.
  let versions: [UInt64]

  /// - Returns: `nil` when SQLite would not read the WAL.
  /// - Throws: `DamagedPage`, also for different page sizes; `SystemError`.
  package init?(database: any ReadableFile, wal: any ReadableFile) throws {
    self.database = try FilePages(database)
    self.wal = wal
    var transactions: [Transaction] = []
    var pages: [UInt32] = []
    let bytes = try wal.size()
    let index = try WALIndex(of: wal, bytes: bytes) { written, size in
      let first = pages.count
      pages += written
      transactions.append(
        Transaction(number: transactions.count + 1, frames: first..<pages.count, databasePages: size))
    }
    guard let index else { return nil }
    guard self.database.pageCount == 0 || self.database.pageSize == index.header.pageSize else {
      throw DamagedPage(1, .noHeader)
    }
    self.index = index
    self.transactions = transactions
    framePages = pages
    versions = pages.enumerated().map { UInt64($1) << 32 | UInt64($0) }.sorted()
    cache = PageCache(pageSize: index.header.pageSize)
  }

  /// - Parameter count: The number of transactions; 0 for the file alone.
  package func pages(after count: Int) -> WALPages { WALPages(self, after: count) }

  package func pagesWritten(by transaction: Transaction) -> [UInt32] {
    var pages = framePages[transaction.frames].sorted()
    var last: UInt32 = 0
    pages.removeAll { page in
      defer { last = page }
      return page == last
    }
    return pages
  }

  /// A page's last frame among the first `frames`.
  fileprivate func frame(of page: UInt32, before frames: Int) -> Int? {
    let bound = UInt64(page) << 32 | UInt64(frames)
    let place = versions.place(behind: { $0 < bound })
    guard place > 0, versions[place - 1] >> 32 == UInt64(page) else { return nil }
    return Int(versions[place - 1] & 0xffff_ffff)
  }

  fileprivate var lastPage: UInt32 {
    max(database.pageCount, versions.last.map { UInt32($0 >> 32) } ?? 0)
  }
}

/// A database's pages with its WAL up to a transaction.
package final class WALPages: PageSource {
  package let pageSize: Int
  package let pageCount: UInt32
  private let states: WALStates
  private let frames: Int

  fileprivate init(_ states: WALStates, after count: Int) {
    self.states = states
    pageSize = states.index.header.pageSize
    if count > 0 {
      let last = states.transactions[count - 1]
      frames = last.frames.upperBound
      pageCount = min(last.databasePages, states.lastPage)
    } else {
      frames = 0
      pageCount = states.database.pageCount
    }
  }

  package func page(_ number: UInt32) throws -> DatabasePage {
    guard number > 0, number <= pageCount else { throw DamagedPage(number, .missing) }
    guard let frame = states.frame(of: number, before: frames) else {
      return try states.cache.page(at: Int(number) << 1) { try states.database.read(number) }
    }
    return try states.cache.page(at: frame << 1 | 1) {
      let offset = WALHeader.byteCount + frame * states.index.frameBytes + WALFrame.headerBytes
      return try DatabasePage(number, pageSize: pageSize) { try states.wal.fill($0, at: offset) }
    }
  }
}
