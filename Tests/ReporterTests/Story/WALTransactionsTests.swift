import Collector
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// What a WAL tells by itself, transaction by transaction.
@Suite struct WALTransactionsTests {
  private let folder: TemporaryFolder
  private let live: TestConnection

  init() throws {
    folder = try TemporaryFolder()
    live = try TestConnection(
      folder("live.db"),
      "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT)"
    )
  }

  private func insert(_ count: Int) throws {
    for _ in 0..<count { try live.execute("INSERT INTO orders(state) VALUES ('open')") }
  }

  @Test func transactionsAreToldOneByOneAndAlikeOnesAreFolded() throws {
    try insert(900)
    try live.execute(
      "BEGIN; UPDATE orders SET state = 'sent' WHERE id = 7; DELETE FROM orders WHERE id = 8; COMMIT")
    let story = Story(try history(), of: "shop")
    #expect(story.notices == [])
    let entries = story.groups.flatMap(\.entries)
    #expect(story.groups.map(\.state) == [.inWAL] && entries.count == 3)
    #expect(entries.first?.steps.first?.commit?.text == "orders created")
    #expect(
      entries.first?.steps.first?.commit?.statements == [
        "CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT)"
      ])
    guard case .repeated(let repeated) = entries[1] else {
      Issue.record("not folded")
      return
    }
    #expect(repeated.times == 900 && repeated.changed == [900])
    #expect(repeated.last[0].commit?.text == "+1 orders" && repeated.last[0].commit?.number == 901)
    let last = try #require(entries.last?.steps.first)
    #expect(last.commit?.text == "−1 orders, 1 row of orders changed in state only")
    #expect(last.changes.first?.columns == ["id", "state"])
    #expect(
      last.changes.first?.changes.first { $0.operation == .update }?.old == [
        .integer(7), .text("open"),
      ])
    #expect(story.changes.sentence == "+899 orders, orders created")
    let printed = printedWAL(try history(), name: "shop", most: 1).map(\.text)
    #expect(printed.first == "In all: +899 orders, orders created")
    #expect(printed.contains { $0.contains(" 902  −1 orders, 1 row of orders changed in state only") })
    #expect(printed.contains { $0.contains("transactions left out: --transactions COUNT tells more") })
  }

  @Test func aForeignWALIsNeverReadWithTheDatabase() throws {
    let other = try TestConnection(folder("other.db"), "CREATE TABLE t(x)")
    _ = other
    let history = readWALHistory(of: folder("other.db"), wal: folder("live.db-wal"), rows: true)
    #expect(history.transactions.isEmpty && history.problems.first?.contains("not in WAL mode") == true)
  }

  @Test func whatACheckpointHasWrittenIsNotGuessed() throws {
    try insert(3)
    try live.execute("PRAGMA wal_checkpoint(PASSIVE)")
    var history = try self.history()
    // What the first one wrote, the others wrote again: their states are all in the WAL.
    #expect(history.checkpointed == 1 && history.transactions.map(\.number) == [2, 3, 4])
    #expect(
      history.problems.first?.hasSuffix("so what transaction 1 of the WAL changed is not known.") == true)
    // The next writer begins the WAL anew, unless somebody reads.
    let reader = try TestConnection(folder("live.db"), "BEGIN; SELECT * FROM orders")
    try live.execute("INSERT INTO orders VALUES (50, 'first')")
    try live.execute("INSERT INTO orders VALUES (51, 'second')")
    try live.execute("PRAGMA wal_checkpoint(PASSIVE)")
    try reader.execute("COMMIT")
    history = try self.history()
    #expect(
      history.transactions.allSatisfy {
        $0.tables.flatMap(\.groups).allSatisfy { $0.change == .init(.insert) && $0.count == 1 }
      })
    #expect(history.transactions.last?.number == history.count)
  }

  private func history() throws -> WALHistory {
    let copy = try TemporaryFolder()
    for end in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: folder("live.db" + end), toPath: copy("raw" + end))
    }
    return readWALHistory(of: copy("raw"), wal: copy("raw-wal"), rows: true)
  }
}
