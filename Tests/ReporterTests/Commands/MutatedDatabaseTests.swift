import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

/// Mutated databases and WALs: looking into them neither crashes nor hangs, and nothing that a terminal obeys comes out.
///
/// `EXHIBIT_FUZZ=10000 swift test --filter MutatedDatabaseTests` mutates that often; `EXHIBIT_FUZZ_SEED` repeats a run.
@Suite struct MutatedDatabaseTests {
  private static let variables = ProcessInfo.processInfo.environment
  private static let rounds = variables["EXHIBIT_FUZZ"].flatMap { Int($0) } ?? 150
  private static let seed = variables["EXHIBIT_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1

  private let shop: ShopDatabases
  private let folder: TemporaryFolder

  init() throws {
    (shop, folder) = (try ShopDatabases(), try TemporaryFolder())
  }

  @Test func databases() throws {
    try shop.folder.database("json.sqlite", SchemaSQL.notes)
    let files = try [ShopDatabases.before, ShopDatabases.after, "json.sqlite"].map {
      try Data(contentsOf: URL(fileURLWithPath: shop.folder($0)))
    }
    try fuzz(files) { try folder.write($0, to: "a.sqlite") }
  }

  @Test func writeAheadLogs() throws {
    try crash(
      shop.folder("w.sqlite"),
      "PRAGMA journal_mode=WAL;CREATE TABLE t(id INTEGER PRIMARY KEY, v);INSERT INTO t VALUES (1, 'a');UPDATE t SET v = 2;CREATE INDEX i ON t(v)"
    )
    let wal = try Data(contentsOf: URL(fileURLWithPath: shop.folder("w.sqlite-wal")))
    let database = try Data(contentsOf: URL(fileURLWithPath: shop.folder("w.sqlite")))
    try fuzz([wal]) {
      try folder.write(database, to: "a.sqlite")
      try folder.write($0, to: "a.sqlite-wal")
    }
  }

  private func fuzz(_ files: [Data], _ write: (Data) throws -> Void) throws {
    var mutation = Mutation(seed: Self.seed)
    let whole = try NamedDatabase(shop.folder(ShopDatabases.before), copyingInto: shop.folder.path)
    var read = 0
    for round in 0..<Self.rounds {
      let start = ProcessorTime.now
      try write(mutation.mutated(files[round % files.count], with: files))
      // What cannot be looked into at all is an error that says why.
      if let database = try? NamedDatabase(folder("a.sqlite"), copyingInto: folder.path) {
        read += 1
        try look(into: database, beside: whole)
      }
      #expect(ProcessorTime.now - start < .seconds(120), "round \(round) of seed \(Self.seed)")
    }
    #expect(read > Self.rounds / 10)
    #expect(try folder.names.allSatisfy { $0.hasPrefix("a.sqlite") })
  }

  private func look(into database: NamedDatabase, beside whole: NamedDatabase) throws {
    var limits = InspectionLimits()
    (limits.checkSteps, limits.tableSteps) = (2_000_000, 2_000_000)
    let inspection = inspectDatabase(at: database.path, rows: true, limits: limits)
    let found = examineDatabase(at: database.path, inspection, rows: true, limits: limits)
    let history = database.raw.map {
      readWALHistory(of: $0, wal: $0 + "-wal", captured: database.path, rows: true)
    }
    let printed = PrintedInspection(
      database: database, inspection: inspection, found: found, tellsAllFindings: true, history: history,
      transactions: 10, table: nil, width: 60
    )
    expectHarmless(printed.lines)
    #expect(try JSONSerialization.jsonObject(with: Data(printed.json)) is [String: Any])
    var pair = DatabasePair(before: whole, after: database)
    pair.schema = schemaChanges(from: [], to: inspection.objects)
    pair.changes = compareDatabases(database.path, since: whole.path, rows: true, limits: limits)
    let difference = PrintedDatabasePair(pair, rows: 10, width: 60)
    expectHarmless(difference.lines)
    #expect(try JSONSerialization.jsonObject(with: Data(difference.json)) is [String: Any])
  }

  private func expectHarmless(_ lines: [TerminalLine]) {
    let text = lines.printed(isColoured: false)
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F })
    let widest = textLines(of: text).max { displayWidth(of: String($0)) < displayWidth(of: String($1)) }
    #expect(displayWidth(of: String(widest ?? "")) <= 60, "\(widest ?? "")")
  }
}
