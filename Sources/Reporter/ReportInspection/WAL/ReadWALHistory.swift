import ExhibitSQLite
import ExhibitSystem
import Glibc
import ReportModel

/// Reads the transactions of a WAL.
///
/// Both files are untrusted and read without SQLite. A foreign WAL is refused.
///
/// - Parameters:
///   - captured: The same database with the WAL folded in, to check the last state.
///   - baseline: A folded state; transactions up to it are told apart.
///   - net: True to read the net changes of all transactions.
///   - rows: True when values may be read.
package func readWALHistory(
  of database: String, wal: String, captured: String? = nil, since baseline: String? = nil, net: Bool = true,
  rows: Bool,
  limits: WALHistoryLimits = WALHistoryLimits()
) -> WALHistory {
  var history = WALHistory()
  do {
    let (file, log) = (try InputFile(path: database), try InputFile(path: wal))
    if let reason = try reasonNotToRead(file, log, at: database) {
      history.problems.append(reason)
      return history
    }
    guard let states = try WALStates(database: file, wal: log) else {
      history.problems.append("The WAL does not begin as SQLite's format describes, so none of it counts.")
      return history
    }
    history.uncommittedFrames = states.index.frames.uncommitted
    guard !states.transactions.isEmpty else {
      history.problems.append("The WAL holds no committed transaction.")
      return history
    }
    history.count = states.transactions.count
    history.checkpointed = try WALBackfill.count(of: states, database: file, wal: log)
    var reader = WALHistoryReader(states, showsRows: rows, limits: limits)
    try reader.read(into: &history, baseline: baseline)
    if net { try reader.readNet(into: &history) }
    history.contradiction = try captured.flatMap { try WALEnd.contradiction(of: states, $0, limits) }
  } catch let damage as DamagedPage {
    history.problems.append("The files are damaged, encrypted or of no database: \(damage.text).")
  } catch {
    history.problems.append("The files cannot be read: \(error).")
  }
  return history
}

private func reasonNotToRead(_ file: InputFile, _ wal: InputFile, at path: String) throws -> String? {
  let start = try file.prefix(DatabaseHeader.byteCount)
  if !start.isEmpty, DatabaseHeader(start) == nil {
    return
      "The database file does not begin as SQLite's format describes: it is encrypted, damaged or no database."
  }
  guard let index = try WALIndex(of: wal, bytes: try wal.size()), index.frames.transactions > 0 else {
    return nil
  }
  let signs = try ForeignWALSign.find(in: index, wal, beside: start, at: path).filter(\.isProof)
  guard !signs.isEmpty else { return nil }
  return "The WAL is another database's, so the two are not read together: "
    + signs.map(\.text).joined(separator: ", ") + "."
}

private struct WALHistoryReader {
  private let states: WALStates
  private var limits: WALHistoryLimits
  private let tables: WALTables
  private var room: WALRowRoom
  private let deadline: ThreadDeadline

  init(_ states: WALStates, showsRows: Bool, limits: WALHistoryLimits) {
    self.states = states
    self.limits = limits
    tables = WALTables(limits)
    room = WALRowRoom(limits, showsRows: showsRows)
    deadline = ThreadDeadline(seconds: limits.totalTime)
  }

  mutating func read(into history: inout WALHistory, baseline: String?) throws {
    let count = states.transactions.count
    let first = max(history.checkpointed, count - limits.transactions)
    noteUntold(first, in: &history)
    var match = try baseline.flatMap { try BaselineMatch($0, states, after: first) }
    if match?.isSame == true { history.before = first }
    let difference = try PageDifference(DatabaseState(states.pages(after: first)))
    history.transactions.reserveCapacity(count)
    for transaction in states.transactions[first...] {
      if deadline.hasPassed {
        history.problems.append(
          "Only the first \(grouped(transaction.number - 1)) of \(counted(count, "transaction")) could be told in time."
        )
        break
      }
      let pages = states.pagesWritten(by: transaction)
      var told = WALHistory.Transaction(number: transaction.number, pages: pages.count)
      do {
        try tell(difference, after: transaction.number, pages, &told, limits.rows)
      } catch let damage as DamagedPage {
        history.problems.append(
          "From transaction \(grouped(transaction.number)) on nothing is told: \(damage.text).")
        break
      }
      history.transactions.append(told)
      room.keep(&history)
      if history.before == nil, try match?.advance(to: transaction.number, pages) == true {
        history.before = transaction.number
      }
    }
  }

  /// Notes transactions that were checkpointed or exceed the limit.
  private func noteUntold(_ first: Int, in history: inout WALHistory) {
    if first > history.checkpointed {
      history.problems.append(
        "Of \(counted(states.transactions.count, "transaction")) only the last \(grouped(limits.transactions)) are told."
      )
    }
    guard history.checkpointed > 0 else { return }
    let whole = history.checkpointed == states.transactions.count
    let some =
      history.checkpointed == 1 ? "transaction 1" : "transactions 1 to \(grouped(history.checkpointed))"
    history.problems.append(
      "The database file has pages of the WAL already, as a checkpoint leaves it, so what "
        + "\(whole ? "the transactions" : some) of the WAL changed is not known.")
  }

  private mutating func tell(
    _ difference: PageDifference, after number: Int, _ pages: [UInt32], _ told: inout WALHistory.Transaction,
    _ rows: Int
  ) throws {
    let new = try DatabaseState(states.pages(after: number))
    let changes = WALChanges(
      tables: tables, old: difference.schema, encoding: new.encoding, showsRows: room.showsRows,
      limits: limits,
      rows: rows, rowidRoom: room.rowids)
    let step = try difference.advance(
      to: new, changed: .some(pages), keyColumns: { tables.layout(of: $0, new.encoding)?.keyValues },
      visit: changes.add)
    changes.finish(step, into: &told)
    room.rowids -= told.touched.reduce(0) { $0 + ($1.rowids?.count ?? 0) }
  }

  /// Reads the net changes since the baseline.
  mutating func readNet(into history: inout WALHistory) throws {
    guard let start = history.transactions.first, let last = history.transactions.last?.number else { return }
    let first = history.before ?? start.number - 1
    guard last > first else { return }
    var pages: Set<UInt32> = []
    for transaction in states.transactions[first..<last] {
      pages.formUnion(states.pagesWritten(by: transaction))
    }
    let difference = try PageDifference(DatabaseState(states.pages(after: first)))
    history.net.number = last
    history.net.pages = pages.count
    room.rowids = 0
    limits.comparedRows = limits.netComparedRows
    try tell(difference, after: last, pages.sorted(), &history.net, limits.netRows)
  }
}

/// Finds the transaction after which the database was in a given state.
private struct BaselineMatch {
  private let baseline: FilePages
  private let states: WALStates
  private var others: Set<UInt32> = []

  /// - Returns: `nil` when the file cannot be a state of this database.
  init?(_ path: String, _ states: WALStates, after count: Int) throws {
    // The baseline's comparison reports unreadable files.
    guard let file = try? InputFile(path: path), let baseline = try? FilePages(file),
      baseline.pageSize == states.index.header.pageSize
    else { return nil }
    (self.baseline, self.states) = (baseline, states)
    let pages = states.pages(after: count)
    for number in 1...max(pages.pageCount, baseline.pageCount, 1) where try !isSame(number, pages) {
      others.insert(number)
    }
  }

  var isSame: Bool { others.isEmpty }

  /// - Returns: True when this state is the baseline.
  mutating func advance(to number: Int, _ written: [UInt32]) throws -> Bool {
    let pages = states.pages(after: number)
    for page in written + others.filter({ $0 > min(pages.pageCount, baseline.pageCount) }) {
      if try isSame(page, pages) { others.remove(page) } else { others.insert(page) }
    }
    return others.isEmpty
  }

  private func isSame(_ number: UInt32, _ pages: WALPages) throws -> Bool {
    guard number <= pages.pageCount, number <= baseline.pageCount else {
      return number > pages.pageCount && number > baseline.pageCount
    }
    return try WALEnd.isSame(try pages.page(number), try baseline.page(number))
  }
}

/// Compares a WAL's last state with the captured database.
enum WALEnd {
  /// Header bytes that differ in a copy in rollback mode: format versions, change counter, version-valid-for and SQLite
  /// version (https://www.sqlite.org/fileformat2.html, section 1.3).
  private static let ofTheCopy: [Range<Int>] = [18..<20, 24..<28, 92..<100]

  /// - Parameter captured: The file with the WAL folded in.
  /// - Returns: A sentence on the difference, if any.
  static func contradiction(
    of states: WALStates, _ captured: String, _ limits: WALHistoryLimits
  ) throws -> String? {
    guard let file = try? InputFile(path: captured), let folded = try? FilePages(file) else { return nil }
    let last = states.pages(after: states.transactions.count)
    guard folded.pageSize == last.pageSize, folded.pageCount == last.pageCount else {
      return "The captured database has another size than database and WAL together."
    }
    // In very large files only pages in the WAL can differ.
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
