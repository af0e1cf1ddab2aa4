import Collector
import Testing

/// What is decided of a database file before anything of it is copied, as a table.
@Suite struct CapturePlanTests {
  private struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var situation: DatabaseSituation
    var change: SituationChange?
    var plan: CapturePlan

    init(
      _ description: String, _ plan: CapturePlan, after change: SituationChange? = nil,
      _ amend: (inout DatabaseSituation) -> Void = { _ in }
    ) {
      var situation = DatabaseSituation()
      situation.file = .file
      (situation.bytes, situation.mode) = (8192, .rollback)
      amend(&situation)
      (testDescription, self.situation, self.change, self.plan) = (description, situation, change, plan)
    }

    /// Of a file that this process has open through a connection of the failed test.
    static func live(
      _ description: String, _ plan: CapturePlan, after change: SituationChange? = nil,
      _ amend: (inout DatabaseSituation) -> Void = { _ in }
    ) -> Case {
      Case(description, plan, after: change) {
        ($0.isOpenHere, $0.hasConnections, $0.hasConnectionsOfFailedTest) = (true, true, true)
        amend(&$0)
      }
    }
  }

  private static let closed = [
    Case("rollback mode", .readTransaction),
    Case("rollback mode, a journal", .readTransaction) { $0.journal = .hot },
    Case("rollback mode, busy", .readTransaction, after: .busy) { $0.journal = .hot },
    Case("a reader has found the journal hot", .journal, after: .hotJournal) { $0.journal = .hot },
    Case("the hot journal is gone again", .readTransaction, after: .hotJournal),
    Case("a file went while it was copied", .readTransaction, after: .fileGone),
    Case("nothing committed yet", .readTransaction) { ($0.bytes, $0.mode) = (0, nil) },
    Case("the first transaction, spilled", .readTransaction) { ($0.mode, $0.journal) = (nil, .hot) },
    Case("no database", .raw) { $0.mode = nil },
    Case("no database, a spent journal", .raw) { ($0.mode, $0.journal) = (nil, .spent) },
    Case("WAL mode, no WAL", .files) { $0.mode = .wal },
    Case("WAL mode, a WAL", .files) { ($0.mode, $0.walBytes) = (.wal, 4152) },
    Case("rollback mode, a WAL", .files) { $0.walBytes = 4152 },
    Case("an empty file, a WAL", .files) { ($0.bytes, $0.mode, $0.walBytes) = (0, nil, 4152) },
    Case("WAL mode, somebody wrote", .files, after: .filesChanged) { ($0.mode, $0.walBytes) = (.wal, 4152) },
    Case("WAL mode, a hot journal", .journal) { ($0.mode, $0.journal) = (.wal, .hot) },
    Case("WAL mode, a spent journal", .files) { ($0.mode, $0.journal) = (.wal, .spent) },
  ]

  private static let open = [
    Case.live("rollback mode", .live),
    Case.live("in a transaction of its own", .live) { $0.journal = .hot },
    Case.live("busy", .live, after: .busy),
    Case.live("the journal of a process that died", .journal, after: .hotJournal) { $0.journal = .hot },
    Case.live("WAL mode", .live) {
      ($0.mode, $0.walBytes, $0.hasSharedMemory, $0.isWALOpenHere) = (.wal, 4152, true, true)
    },
    Case.live("WAL mode, exclusive: no -shm", .live) {
      ($0.mode, $0.walBytes, $0.isWALOpenHere) = (.wal, 4152, true)
    },
    Case.live("WAL mode, nobody has read it yet", .files) { $0.mode = .wal },
    Case.live("an empty file", .live) { ($0.bytes, $0.mode) = (0, nil) },
    Case.live("an empty file, a WAL", .files) { ($0.bytes, $0.mode, $0.walBytes) = (0, nil, 4152) },
  ]

  private static let elsewhere = [
    Case("no file", .left) { $0.file = .nothing },
    Case("a folder", .refused) { $0.file = .noRegularFile },
    Case("open here, nobody knows where", .helper) { $0.isOpenHere = true },
    Case("a journal too, nobody knows where", .helper, after: .hotJournal) {
      ($0.isOpenHere, $0.journal) = (true, .hot)
    },
    Case("another test's connection, already closed", .readTransaction) { $0.hasConnections = true },
    Case.live("deleted, and open still", .serialized) { $0.file = .nothing },
    Case.live("replaced: what lies there nobody has open", .serialized) { $0.isOpenHere = false },
  ]

  @Test(arguments: closed) private func whatNobodyHereHasOpen(row: Case) {
    #expect(CapturePlan(for: row.situation, after: row.change) == row.plan)
  }

  @Test(arguments: open) private func whatThisProcessHasOpen(row: Case) {
    #expect(CapturePlan(for: row.situation, after: row.change) == row.plan)
  }

  @Test(arguments: elsewhere) private func whatThePathDoesNotLeadTo(row: Case) {
    #expect(CapturePlan(for: row.situation, after: row.change) == row.plan)
  }

  /// A SQLite that is not ours loses its locks when we close what we have opened.
  @Test func whatUnknownCodeHasOpenIsNeverOpened() {
    var situation = DatabaseSituation()
    (situation.file, situation.isOpenHere) = (.file, true)
    for mode in [DatabaseSituation.Mode.rollback, .wal, nil] {
      for journal in DatabaseSituation.Journal.allCases {
        for change in SituationChange.allCases {
          (situation.mode, situation.journal) = (mode, journal)
          #expect(CapturePlan(for: situation, after: change) == .helper)
        }
      }
    }
  }

  @Test func everyPlanIsReachedAndSaysWhatItDoes() {
    let rows = Self.closed + Self.open + Self.elsewhere
    #expect(Set(rows.map(\.plan)) == Set(CapturePlan.allCases))
    #expect(Set(CapturePlan.allCases.map(\.description)).count == CapturePlan.allCases.count)
  }
}
