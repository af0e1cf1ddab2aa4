import ExhibitSQLite
import ExhibitSystem
import Glibc

/// Whether the last state of a WAL is what SQLite made of the same files.
enum WALEnd {
  /// The bytes of the first page that a copy in rollback mode has otherwise: the versions that say how it is written, the
  /// counter of its transactions, and who wrote it (https://www.sqlite.org/fileformat2.html, section 1.3).
  private static let ofTheCopy: [Range<Int>] = [18..<20, 24..<28, 92..<100]

  /// - Parameter captured: the file with the WAL folded in.
  /// - Returns: Where they differ, in a sentence; `nil` where they do not, or the captured file cannot be read.
  static func contradiction(
    of states: WALStates, _ captured: String, _ limits: WALHistoryLimits
  ) throws -> String? {
    // The inspection of the captured file tells why it cannot be read.
    guard let file = try? InputFile(path: captured), let folded = try? FilePages(file) else { return nil }
    let last = states.pages(after: states.transactions.count)
    guard folded.pageSize == last.pageSize, folded.pageCount == last.pageCount else {
      return "The captured database has another size than database and WAL together."
    }
    // Of a very large one, what the WAL wrote: the rest both have from one file.
    let pages =
      Int(last.pageCount) <= limits.comparedPages
      ? Array(1...max(last.pageCount, 1))
      : states.index.lastFrame.keys.filter { $0 <= last.pageCount }.sorted()
    for page in pages where page <= last.pageCount {
      guard try isSame(try last.page(page), try folded.page(page)) else {
        return "Page \(page) of the captured database is another one than that of database and WAL together."
      }
    }
    return nil
  }

  static func isSame(_ one: DatabasePage, _ other: DatabasePage) throws -> Bool {
    guard let left = one.bytes.baseAddress, let right = other.bytes.baseAddress else { return true }
    guard one.number == 1 else { return memcmp(left, right, one.bytes.count) == 0 }
    var start = 0
    for range in ofTheCopy + [one.bytes.count..<one.bytes.count] {
      guard memcmp(left + start, right + start, range.lowerBound - start) == 0 else { return false }
      start = range.upperBound
    }
    return true
  }
}
