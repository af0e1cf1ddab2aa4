package import ExhibitSystem

/// The part of a WAL that its database file may have already.
///
/// A checkpoint writes pages of the WAL into the file, and leaves the WAL as it is. The former content of these pages
/// is lost then, and any state before the first transaction that wrote one of them would be a state that never was. The
/// -shm file says how far a checkpoint came, but a copy does not have it; so the pages themselves are compared. A page
/// of the file that equals none of its frames was written by no checkpoint. One that equals a frame may have been, or a
/// transaction wrote what was there before. The order of a checkpoint tells some of these: beside a reader it goes up
/// to the transaction that the reader sees, leaves out pages that were written later, and writes the others in the
/// order of their numbers. So if a lower page should have been written with it and was not, neither was this one.
///
/// Source: `walCheckpoint` of https://sqlite.org/src/file/src/wal.c.
package struct WALBackfill {
  /// The content of a page from one transaction up to another that wrote it again.
  private struct Version {
    var page: UInt32
    /// The last frame of the transaction that has the page.
    var frame: Int
    var transaction: Int
    /// One more than there are transactions where none wrote it again.
    var next: Int
  }

  private let states: WALStates
  /// The transaction of each frame.
  private var transactionOf: [Int32] = []
  /// True for each frame whose content the file has.
  private var isInFile: [Bool]
  /// The versions of lower pages that the file lacks, with all newer ones: the end of each, by the transaction that
  /// wrote it.
  ///
  /// A checkpoint up to any transaction before the next one of the page would have written it.
  private var missing: PrefixMaxima
  private var base = 0

  /// The first of the states that the files hold whole for sure: so many transactions.
  ///
  /// It may count states as lost that are not, where a transaction wrote what was there before.
  ///
  /// - Throws: `SystemError`.
  package static func count(
    of states: WALStates, database: some ReadableFile, wal: some ReadableFile
  ) throws -> Int {
    var backfill = WALBackfill(states)
    try backfill.compare(database, wal)
    return backfill.count()
  }

  private init(_ states: WALStates) {
    self.states = states
    isInFile = Array(repeating: false, count: states.index.frames.committed)
    missing = PrefixMaxima(count: states.transactions.count)
    transactionOf.reserveCapacity(isInFile.count)
    for transaction in states.transactions {
      transactionOf += repeatElement(Int32(transaction.number), count: transaction.frames.count)
    }
  }

  private mutating func compare(_ database: some ReadableFile, _ wal: some ReadableFile) throws {
    let pageSize = states.index.header.pageSize
    let fileBytes = try database.size()
    let there = UnsafeMutableRawBufferPointer.allocate(byteCount: pageSize, alignment: 16)
    defer { there.deallocate() }
    let chunks = WALChunks(frameBytes: states.index.frameBytes, frames: isInFile.count)
    try chunks.read(wal) { first, chunk in
      for (index, offset) in stride(from: 0, to: chunk.count, by: states.index.frameBytes).enumerated() {
        let frame = WALFrame(UnsafeRawBufferPointer(rebasing: chunk[offset...]))
        let place = (Int(frame.page) - 1) * pageSize
        guard place >= 0, place + pageSize <= fileBytes else { continue }
        try database.fill(there, at: place)
        isInFile[first + index] = UnsafeRawBufferPointer(
          rebasing: chunk[(offset + WALFrame.headerBytes)...].prefix(pageSize)
        ).hasSameBytes(as: UnsafeRawBufferPointer(there))
      }
      return true
    }
  }

  private mutating func count() -> Int {
    let shrinks = Shrinks(states.transactions)
    var (versions, first): ([Version], Int) = ([], 0)
    for (place, key) in states.versions.enumerated() {
      let (page, frame) = (UInt32(key >> 32), Int(key & 0xffff_ffff))
      let after = place + 1 < states.versions.count ? states.versions[place + 1] : .max
      let isLast = after >> 32 != UInt64(page)
      let transaction = Int(transactionOf[frame])
      let next =
        isLast ? states.transactions.count + 1 : Int(transactionOf[Int(after & 0xffff_ffff)])
      if first == 0 { first = transaction }
      // Only the last frame of a page that a transaction wrote twice is ever read.
      if next > transaction {
        versions.append(Version(page: page, frame: frame, transaction: transaction, next: next))
      }
      guard isLast else { continue }
      add(versions, first: first, shrinks)
      (versions, first) = ([], 0)
    }
    return base
  }

  /// Adds what one page held, after all lower pages.
  private mutating func add(_ versions: [Version], first: Int, _ shrinks: Shrinks) {
    let written = versions.last { isInFile[$0.frame] && missing.maximum(upTo: $0.transaction) < $0.next }
    if let written {
      base = max(base, first)
      // A checkpoint of everything cuts the file off; each transaction that made the database smaller wrote page 1.
      if written.page == 1 { base = max(base, shrinks.last(upTo: written.transaction)) }
    }
    for version in versions where version.transaction > written?.transaction ?? 0 {
      missing.raise(version.transaction, to: shrinks.end(of: version.page, version.transaction, version.next))
    }
  }
}

/// The transactions of a WAL that made the database smaller.
private struct Shrinks {
  private var numbers: [Int] = []
  /// The smallest size of the database after each transaction and all later ones, by its number.
  private var smallest: [UInt32]

  init(_ transactions: [WALStates.Transaction]) {
    smallest = Array(repeating: .max, count: transactions.count + 2)
    for transaction in transactions.reversed() {
      smallest[transaction.number] = min(transaction.databasePages, smallest[transaction.number + 1])
    }
    for (old, new) in zip(transactions, transactions.dropFirst())
    where new.databasePages < old.databasePages {
      numbers.append(new.number)
    }
  }

  /// The last one up to a transaction; 0 when there is none.
  func last(upTo transaction: Int) -> Int {
    numbers[..<firstPlace(after: transaction)].last ?? 0
  }

  /// Up to which transaction a page surely belongs to the database; others no checkpoint writes.
  func end(of page: UInt32, _ transaction: Int, _ next: Int) -> Int {
    let place = firstPlace(after: transaction)
    guard page > smallest[transaction], place < numbers.count else { return next }
    return min(next, numbers[place])
  }

  private func firstPlace(after transaction: Int) -> Int {
    numbers.place(behind: { $0 <= transaction })
  }
}

/// Numbers by place, from 1, of which the highest of the first ones is found in logarithmic time.
///
/// Source: Fenwick, "A New Data Structure for Cumulative Frequency Tables", Software: Practice and Experience 24 (1994).
private struct PrefixMaxima {
  private var maxima: [Int]

  init(count: Int) { maxima = Array(repeating: 0, count: count + 1) }

  mutating func raise(_ place: Int, to number: Int) {
    var place = place
    while place < maxima.count {
      maxima[place] = max(maxima[place], number)
      place += place & -place
    }
  }

  func maximum(upTo place: Int) -> Int {
    var (place, maximum) = (place, 0)
    while place > 0 {
      maximum = max(maximum, maxima[place])
      place -= place & -place
    }
    return maximum
  }
}
