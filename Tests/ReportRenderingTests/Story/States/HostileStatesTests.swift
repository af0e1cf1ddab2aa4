import Collector
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// States of stories of any size and order.
@Suite struct HostileStatesTests {
  private static let variables = ProcessInfo.processInfo.environment

  private func look(_ recorded: RecordedStory, file: String?, _ schema: CapturedSchema) {
    let builder = StoryBuilder(recorded, issues: [], schemas: [schema], inspections: [:], path: { $0 })
    for database in builder.databases.list.indices.prefix(3) {
      let states = StateTimeline(builder, database: database, schema: schema, file: file)
      for table in states.tables.map(\.name).prefix(20) {
        for step in [0] + builder.steps.map(\.number).prefix(30) + [.max] {
          guard case .success(let page) = states.page(of: table, .after(step: step), upTo: 20) else {
            continue
          }
          #expect(page.rows.count <= 20)
          if let row = page.rows.first {
            #expect(states.past(of: row.key, in: table, .after(step: step)).entries.count <= 1000)
          }
        }
      }
    }
    let row = StateQuestion.row(table: "orders", key: ["1"])
    for question in [StateQuestion.step(recorded.steps.last?.number ?? 0), row] {
      let answer = builder.answer(to: question, of: [schema], in: "", includesRows: true)
      #expect(answer.lines.count < 10_000)
    }
  }

  /// `EXHIBIT_FUZZ=10000` mutates that often; `EXHIBIT_FUZZ_SEED` repeats a run.
  @Test func mutatedStoriesHaveStatesOrReasons() throws {
    let folder = try TemporaryFolder()
    let file = try folder.database(
      "shop.sqlite",
      "CREATE TABLE orders(id INTEGER PRIMARY KEY, state, placed_at); INSERT INTO orders VALUES (1, 2, 3);"
        + "CREATE TABLE stock(article PRIMARY KEY, count) WITHOUT ROWID; INSERT INTO stock VALUES (1, 2);")
    let schema = CapturedSchema(of: file, evidence: file, source: "/tmp/shop.sqlite", isUncommitted: true)
    var written = WrittenStory()
    written.database(2, "/tmp/shop.sqlite")
    for key in 1...6 {
      written.step("BEGIN", on: key % 2 + 1)
      written.step("SAVEPOINT a", on: key % 2 + 1)
      written.insert("orders", key, "[\(key),\"a\",null]")
      written.step("ROLLBACK TO a", on: key % 2 + 1, staysIn: true)
      written.step("UPDATE stock SET article = 1", on: key % 2 + 1, changed: 1)
      written.change(.update, "stock", nil, old: "[1,2]", new: "[\(key),1]", depth: 1)
      written.step(["ALTER TABLE orders ADD a", "DROP TABLE stock", "VACUUM"][key % 3], on: key % 2 + 1)
      written.step("COMMIT", on: key % 2 + 1)
    }
    var mutation = Mutation(seed: Self.variables["EXHIBIT_FUZZ_SEED"].flatMap { UInt64($0) } ?? 7)
    for round in 0..<(Self.variables["EXHIBIT_FUZZ"].flatMap { Int($0) } ?? 100) {
      let start = ProcessorTime.now
      defer { #expect(ProcessorTime.now - start < .seconds(120), "round \(round)") }
      let bytes = mutation.mutated(written.bytes, with: [written.bytes])
      guard let recorded = StoryFile(bytes).story else { continue }
      look(recorded, file: file, schema)
    }
  }

  /// As the square of its steps it would be minutes.
  @Test func longStoriesTakeNoLongerThanTheyAreLong() throws {
    let start = ProcessorTime.now
    var written = WrittenStory()
    for key in 1...3000 {
      written.step("CREATE TABLE IF NOT EXISTS t\(key % 977)(a)")
      written.step("INSERT INTO t\(key % 977) VALUES (\(key))", changed: 1)
      written.change(.insert, "t\(key % 977)", key, new: "[\(key)]")
    }
    for _ in 1...1500 { written.step("VACUUM") }
    let recorded = try #require(StoryFile(written.bytes).story)
    look(recorded, file: nil, .shop)
    #expect(ProcessorTime.now - start < .seconds(40))
  }
}
