package import ExhibitSystem
import Glibc

/// How much of a WAL its database file has already: a checkpoint writes the last pages of its first transactions into
/// the file, and leaves the WAL as it is.
///
/// States before those transactions cannot be read any more. How far a checkpoint came stands in the -shm file, which a
/// copy does not have; so the pages themselves are asked.
package struct WALBackfill {
  private struct Page {
    /// The transaction that first wrote it.
    var first: Int
    /// Whether the file has what the last frame so far has.
    var isSame = false
    /// Whether the file has what any frame has.
    var wasSame = false
  }

  private var pages: [UInt32: Page] = [:]
  private var sameCount = 0

  /// The first of the states that the files still hold whole: so many transactions.
  ///
  /// Where a transaction wrote what was there before, it may be counted to those that the file has.
  ///
  /// - Throws: `SystemError`.
  package static func count(
    of states: WALStates, database: some ReadableFile, wal: some ReadableFile
  ) throws -> Int {
    var backfill = WALBackfill()
    return try backfill.count(states, database, wal)
  }

  private mutating func count(
    _ states: WALStates, _ database: some ReadableFile, _ wal: some ReadableFile
  ) throws -> Int {
    let pageSize = states.index.header.pageSize
    let fileBytes = try database.size()
    var (whole, number) = (0, 0)
    let there = UnsafeMutableRawBufferPointer.allocate(byteCount: pageSize, alignment: 16)
    defer { there.deallocate() }
    let chunks = WALChunks(frameBytes: states.index.frameBytes, frames: states.index.frames.committed)
    try chunks.read(wal) { first, chunk in
      for (index, offset) in stride(from: 0, to: chunk.count, by: states.index.frameBytes).enumerated() {
        let frame = WALFrame(UnsafeRawBufferPointer(rebasing: chunk[offset...]))
        let bytes = UnsafeRawBufferPointer(
          rebasing: chunk[(offset + WALFrame.headerBytes)...].prefix(pageSize))
        let place = (Int(frame.page) - 1) * pageSize
        var isSame = false
        if place + pageSize <= fileBytes {
          try database.fill(there, at: place)
          isSame = bytes.hasSameBytes(as: UnsafeRawBufferPointer(there))
        }
        note(frame.page, isSame, in: number + 1)
        guard number < states.transactions.count,
          states.transactions[number].frames.upperBound == first + index + 1
        else { continue }
        number += 1
        if sameCount == pages.count { whole = number }
      }
      return true
    }
    return whole > 0 ? whole : countOfUnfinished()
  }

  private mutating func note(_ page: UInt32, _ isSame: Bool, in transaction: Int) {
    var known = pages[page] ?? Page(first: transaction)
    if known.isSame != isSame { sameCount += isSame ? 1 : -1 }
    known.isSame = isSame
    known.wasSame = known.wasSame || isSame
    pages[page] = known
  }

  /// A checkpoint that its process's death ended has written the pages with the lowest numbers.
  private func countOfUnfinished() -> Int {
    guard let lowest = pages.keys.min(), pages[lowest]?.wasSame == true else { return 0 }
    return pages.values.lazy.filter(\.wasSame).map(\.first).max() ?? 0
  }
}
