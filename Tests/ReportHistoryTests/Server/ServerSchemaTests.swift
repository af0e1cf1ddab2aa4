import Collector
import ExhibitSystem
import Foundation
import ReportModel
import Testing

@testable import ReportHistory

/// The tables of a server: made by one at a time, and refused where they are others.
@Suite(
  .enabled(
    if: PostgreSQLServer.isAvailable, "needs the server of postgresql, which ci/setup --postgresql installs"))
struct ServerSchemaTests {
  private func run(_ hour: Double) -> KeptRun {
    KeptRun(run: WrittenHistory.run(hour), tests: [WrittenHistory.result(WrittenHistory.first, .failed)])
  }

  private func past(_ history: HistoryServer) throws -> Int? {
    let tests = [WrittenHistory.result(WrittenHistory.first, .failed)]
    return try history.past(of: tests, in: WrittenHistory.run(99))[WrittenHistory.first]?.outcomes.count
  }

  /// What reading and adding say, which is the same; nothing has changed.
  private func refusal(_ history: ServedHistory) throws -> HistoryError.Problem {
    let reading = try #require(throws: HistoryError.self) { try past(history.store.renewed) }
    let adding = try #require(throws: HistoryError.self) { try history.store.renewed.add(run(9)) }
    #expect(reading == adding)
    return reading.problem
  }

  @Test(arguments: [
    "ALTER TABLE runs ADD COLUMN a bigint", "ALTER TABLE run_places DROP COLUMN places",
    "ALTER TABLE variations ALTER COLUMN varied TYPE varchar(100000)",
    "ALTER TABLE tests RENAME COLUMN suite TO suites", "DROP VIEW run_counts", "DROP TABLE variations",
    "ALTER TABLE tests DROP CONSTRAINT tests_identity_excl", "DROP INDEX outcomes_by_test",
    "CREATE INDEX other ON runs (name)", "CREATE TABLE other (a bigint)",
    "CREATE RULE r AS ON INSERT TO runs DO ALSO NOTHING", "ALTER TABLE runs ENABLE ROW LEVEL SECURITY",
    "CREATE TRIGGER t BEFORE UPDATE ON runs FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    "DELETE FROM history_version", "INSERT INTO history_version VALUES (2)",
    "UPDATE history_version SET version = -1",
    "ALTER TABLE runs ALTER COLUMN key DROP NOT NULL",
  ])
  func oneThatWasChangedIsRefused(sql: String) throws {
    let history = try ServedHistory()
    try history.store.add(run(1))
    try history.value(sql)
    #expect(try refusal(history) == .altered)
    #expect(try history.value("SELECT count(*) FROM outcomes") == "1")
  }

  @Test func anotherVersionIsRefused() throws {
    let history = try ServedHistory()
    try history.store.add(run(1))
    try history.value("UPDATE history_version SET version = 1")
    #expect(try refusal(history) == .older(version: 1))
    try history.value("UPDATE history_version SET version = 7; CREATE TABLE more (a bigint)")
    #expect(try refusal(history) == .newer(version: 7))
    #expect(throws: HistoryError.self) {
      try history.store.renewed.prune(keptRuns: 1, keptDays: nil, now: 0)
    }
    #expect(try history.value("SELECT count(*) FROM outcomes") == "1")
  }

  @Test func aSchemaOfSomebodyElseIsRefused() throws {
    let history = try ServedHistory()
    try history.value("CREATE SCHEMA exhibit; CREATE TABLE exhibit.paintings (name text)")
    #expect(try refusal(history) == .foreign)
    #expect(
      try history.value("SELECT count(*) FROM pg_class WHERE relnamespace = 'exhibit'::regnamespace") == "1")
  }

  @Test func oneThatIsNotThereIsNotMadeByReading() throws {
    let history = try ServedHistory()
    let error = try #require(throws: HistoryError.self) { try past(history.store) }
    #expect(error.problem == .missing)
    #expect(throws: HistoryError.self) {
      try history.store.prune(keptRuns: 1, keptDays: nil, now: 0)
    }
    #expect(try history.value("SELECT count(*) FROM pg_namespace WHERE nspname = 'exhibit'") == "0")
  }

  // MARK: - Making

  @Test func manyMakeOneAtOnce() throws {
    let history = try ServedHistory()
    let (store, errors) = (history.store, Locked<[String]>([]))
    DispatchQueue.concurrentPerform(iterations: 6) { number in
      do {
        var added = run(Double(number + 1))
        added.add(pass: [1], of: WrittenHistory.first, began: nil)
        try store.renewed.add(added)
      } catch {
        errors.withLock { $0.append("\(error)") }
      }
    }
    #expect(errors.withLock { $0 } == [])
    #expect(try past(store.renewed) == 7)
    #expect(try history.value("SELECT version FROM history_version") == "\(HistorySchema.version)")
  }

  // MARK: - Rights

  /// The statements of docs/history.md, on a history that its owner has made.
  @Test func rolesHaveTheRightsThatTheDocumentGives() throws {
    let history = try ServedHistory()
    try history.store.add(run(1))
    let document = try String(contentsOf: ThisPackage.file("docs/history.md"), encoding: .utf8)
    let grants = try #require(document.firstMatch(of: /```sql\n(CREATE ROLE[^`]*)```/)?.1)
    let roles = (reader: "reader_\(history.database)", writer: "writer_\(history.database)")
    try history.value(
      String(grants).replacing("reports", with: "\"\(roles.reader)\"").replacing(
        "jobs", with: "\"\(roles.writer)\""
      )
      .replacing("DATABASE history", with: "DATABASE \"\(history.database)\""))
    let (reader, writer) = (
      HistoryServer(history.address(user: roles.reader)), HistoryServer(history.address(user: roles.writer))
    )
    var added = run(2)
    added.add(pass: [1], of: WrittenHistory.second, began: nil)
    added.variations = [WrittenHistory.second: []]
    try writer.add(added)
    #expect(try writer.renewed.add(run(2)) == nil)
    #expect(try past(reader) == 3)
    let refused = try #require(throws: HistoryError.self) { try reader.renewed.add(run(3)) }
    #expect("\(refused)".contains("permission denied"), "\(refused)")
    #expect(try writer.renewed.prune(keptRuns: 1, keptDays: nil, now: currentTime()) == 1)
  }

  @Test func aServerThatOnlyReadsIsReadAndNotWritten() throws {
    let history = try ServedHistory()
    try history.store.add(run(1))
    try history.value("ALTER DATABASE \"\(history.database)\" SET default_transaction_read_only = on")
    let error = try #require(throws: HistoryError.self) { try history.store.renewed.add(run(2)) }
    #expect("\(error)".contains("read-only transaction"), "\(error)")
    #expect(try past(history.store.renewed) == 2)
  }
}
