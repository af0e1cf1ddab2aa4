package import ExhibitSystem

/// Finds from which transaction on a WAL's states can still be read, when a checkpoint may have begun.
///
/// A checkpoint copies pages from the WAL into the database, where their former content is lost, and with it each
/// state before the first transaction that wrote one of them. Only the -shm, which a copy lacks, says how far it
/// came. So pages are compared: one that equals none of its frames was not copied. And since a checkpoint copies in
/// page order, up to the transaction that a reader sees, a page was not copied if a lower one should have been and
/// was not.
///
/// Source: `walCheckpoint` of https://sqlite.org/src/file/src/wal.c.
package struct WALBackfill {
  /// A page's content from one transaction to the next that wrote it.
  private struct Version {
    var page: UInt32
    var frame: Int
    var transaction: Int
    /// One more than there are transactions when none wrote it again.
    var next: Int
  }

  private let states: WALStates
  private var transactionOf: [Int32] = []
  private var isInFile: [Bool]
  /// Versions of lower pages that the file lacks: where each ends, by the transaction that wrote it.
  private var missing: PrefixMaxima
  private var base = 0

  /// How many transactions have to be skipped; maybe too many where a page's former content was written again.
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
      // Of a page written twice in a transaction only the last frame counts.
      if next > transaction {
        versions.append(Version(page: page, frame: frame, transaction: transaction, next: next))
      }
      guard isLast else { continue }
      add(versions, first: first, shrinks)
      (versions, first) = ([], 0)
    }
    return base
  }

  private mutating func add(_ versions: [Version], first: Int, _ shrinks: Shrinks) {
    let written = versions.last { isInFile[$0.frame] && missing.maximum(upTo: $0.transaction) < $0.next }
    if let written {
      base = max(base, first)
      // A complete checkpoint truncates the file; each transaction that shrank the database wrote page 1.
      if written.page == 1 { base = max(base, shrinks.last(upTo: written.transaction)) }
    }
    for version in versions where version.transaction > written?.transaction ?? 0 {
      missing.raise(version.transaction, to: shrinks.end(of: version.page, version.transaction, version.next))
    }
  }
}

/// The transactions that made the database smaller.
private struct Shrinks {
  private var numbers: [Int] = []
  /// The smallest size of the database from each transaction on.
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

  /// The last one up to a transaction, or 0.
  func last(upTo transaction: Int) -> Int {
    numbers[..<firstPlace(after: transaction)].last ?? 0
  }

  /// Until when a page surely is in the database; no checkpoint copies others.
  func end(of page: UInt32, _ transaction: Int, _ next: Int) -> Int {
    let place = firstPlace(after: transaction)
    guard page > smallest[transaction], place < numbers.count else { return next }
    return min(next, numbers[place])
  }

  private func firstPlace(after transaction: Int) -> Int {
    numbers.place(behind: { $0 <= transaction })
  }
}

/// Prefix maxima in logarithmic time, with places from 1.
///
/// Source: Fenwick, "A New Data Structure for Cumulative Frequency Tables", Software: Practice and Experience 24
/// (1994).
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
