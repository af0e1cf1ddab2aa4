import Collector
import ExhibitSQLite
import ExhibitSystem
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportStory

/// The tables after each of some random statements, told from the captured end, against what the suite saw.
@Suite struct StateTruthTests {
  @Test(arguments: StoryTruth.seeds) func everyStateIsTold(seed: UInt64) async throws {
    let run = try await StoryTruth.run(seed)
    var tally = StateTally()
    for truth in try StoryTruth.all(of: run) {
      let (builder, schemas) = try truth.builder(of: run)
      for schema in schemas {
        guard let database = builder.database(of: schema) else { continue }
        try StateTruth(truth, builder, schema, database)?.compare(&tally)
      }
    }
    print(tally)
    #expect(tally.databases >= 14 && tally.states > 1000 && tally.told > tally.states * 2 / 3, "\(tally)")
    #expect(tally.rows > tally.told && tally.pastsCompared > 50 && tally.pages > 100, "\(tally)")
  }
}

struct StateTally: CustomStringConvertible {
  var databases = 0
  var states = 0
  var told = 0
  var rows = 0
  var pages = 0
  var pasts = 0
  var pastsCompared = 0
  var reasons: [String: Int] = [:]

  var description: String {
    "\(databases) captured databases, \(states) states of tables, \(told) told with \(rows) rows, \(pages) pages, \(pastsCompared) pasts of rows compared; bounds: \(reasons)"
  }
}

/// One captured database and the truth about its schema.
private struct StateTruth {
  private let lines: [StoryTruth.Line]
  private let steps: [RecordedStory.Step]
  private let first: [String]
  private let schema: String
  private let states: StateTimeline
  /// By table: the captured rows.
  private var captured: [String: [RowKey: [DatabaseValue?]]] = [:]

  /// - Returns: `nil` for a database of another connection.
  init?(_ truth: StoryTruth, _ builder: StoryBuilder, _ captured: CapturedSchema, _ database: Int) throws {
    steps = StoryTruth.steps(
      builder.steps, of: truth.database, sql: { $0.sql }, connection: { $0.connection })
    lines = truth.toldLines
    first = truth.first
    #expect(steps.map(\.sql) == lines.map(\.sql))
    guard let connection = steps.first?.connection,
      let schema = ["main", "other"].first(where: { builder.databases[connection, $0, at: .max] == database })
    else { return nil }
    self.schema = schema
    states = StateTimeline(builder, database: database, schema: captured, file: captured.evidence)
    for table in states.tables.map(\.name) {
      guard case .success(let page) = states.page(of: table, .captured, upTo: 100_000) else { continue }
      self.captured[table] = Dictionary(uniqueKeysWithValues: page.rows.map { ($0.key, $0.values) })
    }
  }

  func compare(_ tally: inout StateTally) throws {
    tally.databases += 1
    let tables = Set(states.tables.map(\.name).filter { !$0.hasPrefix("sqlite_") && !$0.contains("sqlite_") })
    var rows = NetChange()
    for row in first { rows.add(row) }
    for (place, (step, line)) in zip(steps, lines).enumerated() {
      rows.add(line.net)
      var truth: [String: NetChange] = [:]
      for (row, count) in rows.rows where row.hasPrefix(schema + ".") {
        let name = String(row.split(separator: "|")[0].dropFirst(schema.count + 1))
        truth[name, default: NetChange()].add(row, count)
      }
      for table in tables.union(truth.keys) {
        compare(table, truth[table] ?? NetChange(), at: place, step, &tally)
      }
    }
  }

  private func compare(
    _ table: String, _ truth: NetChange, at place: Int, _ step: RecordedStory.Step, _ tally: inout StateTally
  ) {
    tally.states += 1
    let state: TableState
    switch states.state(of: table, .after(step: step.number)) {
    case .success(let told): state = told
    case .failure(let bound):
      tally.reasons["\(bound)".split(separator: "(").first.map(String.init) ?? "", default: 0] += 1
      #expect(isRight(bound, of: table, at: place), "\(schema).\(table) after step \(step.number): \(bound)")
      return
    }
    tally.told += 1
    var told: [RowKey: [DatabaseValue?]] = state.holdsCaptured ? captured[table] ?? [:] : [:]
    for (key, row) in state.rows { told[key] = row }
    var net = NetChange()
    for (key, row) in told { net.add(word(table, key, row)) }
    tally.rows += told.count
    #expect(
      net.agrees(with: truth),
      "\(schema).\(table) after step \(step.number) \(step.sql): \(difference(net, truth))")
    guard (place + table.utf8.count) % 7 == 0 else { return }
    pages(table, told, step, &tally)
    for key in told.keys.prefix(3) { past(of: key, table, at: place, &tally) }
  }

  private func difference(_ told: NetChange, _ truth: NetChange) -> [String: Int] {
    var difference = told
    difference.add(truth.inverse)
    return difference.rows
  }

  private func word(_ table: String, _ key: RowKey, _ row: [DatabaseValue?]) -> String {
    let key = if case .rowid(let number) = key { "i\(number)" } else { "-" }
    let words = row.map { value in
      switch value {
      case nil: "unknown"
      case .null?: "n"
      case .integer(let number)?: "i\(number)"
      case .real(let number)?: "r\(number)"
      case .text(let text, _)?: "t\(text)"
      case .blob(let bytes, _)?: "b" + hexadecimal(bytes)
      }
    }
    return "\(schema).\(table)|\(key)|\(words.joined(separator: "|"))"
  }

  // MARK: - Reasons

  /// Whether the reason names a statement that does so, behind the step or in the transaction that it is in.
  private func isRight(_ bound: StateBound, of table: String, at place: Int) -> Bool {
    func statement(_ number: Int, _ words: [String], of names: [String]) -> Bool {
      guard let other = steps.firstIndex(where: { $0.number == number }),
        lines[other].code & 0xFF == 0 || lines[other].code == 101
      else { return false }
      let sql = lines[other].sql
      guard words.contains(where: { sql.hasPrefix($0) }) else { return false }
      if !names.isEmpty, !names.contains(where: { sql.contains(".\($0) ") || sql.contains(" \($0) ") }) {
        return false
      }
      return isInTheWay(other, of: place)
    }
    switch bound {
    case .isVirtual: return table.hasPrefix("f_") && !table.dropFirst(2).contains("_")
    case .dropped(let step): return statement(step, ["DROP TABLE"], of: [table])
    case .made(let step), .mayBeMade(let step): return statement(step, ["CREATE TABLE"], of: [table])
    case .altered(let step): return statement(step, ["ALTER TABLE"], of: [table])
    case .vacuumed(let step): return statement(step, ["VACUUM \(schema)"], of: [])
    case .moduleWrote(let step):
      let failed = steps.firstIndex { $0.number == step }
      return table.hasPrefix("f_")
        && failed.map { isInTheWay($0, of: place) && steps[$0].error != nil } == true
    default: return false
    }
  }

  /// Whether it is behind the step, or before it in a transaction that is open there.
  private func isInTheWay(_ other: Int, of place: Int) -> Bool {
    other > place || (other...place).allSatisfy { steps[$0].isInTransaction }
  }

  // MARK: - Pages

  private func pages(
    _ table: String, _ told: [RowKey: [DatabaseValue?]], _ step: RecordedStory.Step,
    _ tally: inout StateTally
  ) {
    var (found, last): ([RowKey], RowKey?) = ([], nil)
    for _ in 0...told.count {
      guard case .success(let page) = states.page(of: table, .after(step: step.number), behind: last, upTo: 3)
      else {
        Issue.record("no page of \(table)")
        return
      }
      tally.pages += 1
      for row in page.rows { #expect(told[row.key] == row.values) }
      found += page.rows.map(\.key)
      last = page.rows.last?.key
      if !page.hasMore { break }
    }
    #expect(found.count == told.count && Set(found) == Set(told.keys), "\(table) after \(step.number)")
  }

  // MARK: - Pasts

  /// Where the row of a key was written, as the truth has it: the statements behind which its row was another.
  private func past(of key: RowKey, _ table: String, at place: Int, _ tally: inout StateTally) {
    guard case .rowid(let number) = key else { return }
    let past = states.past(of: key, in: table, .after(step: steps[place].number))
    tally.pasts += 1
    let prefix = "\(schema).\(table)|i\(number)|"
    var (wrote, isInserted, oldest) = ([Int](), false, steps[0].number)
    for other in (0...place).reversed() {
      let line = lines[other]
      if steps[other].wasInTransaction,
        line.sql.hasPrefix("ROLLBACK") || !steps[other].isInTransaction && line.code != 101 && line.code != 0
      {
        // What it took back was written before, and is none of the row's past.
        oldest = steps[other].number
        break
      }
      let (went, came) = (
        line.removed.contains { $0.hasPrefix(prefix) }, line.added.contains { $0.hasPrefix(prefix) }
      )
      guard went || came else { continue }
      // What rows a rollback brings back was written before; those of a VACUUM are others.
      let words = line.sql.prefix { $0 != " " }
      guard line.code == 0 || line.code == 101, !["ROLLBACK", "VACUUM", "ALTER", "CREATE"].contains(words)
      else { return }
      wrote.append(steps[other].number)
      isInserted = !went
      if isInserted { break }
    }
    tally.pastsCompared += 1
    let told = Set(past.entries.map(\.step))
    // A row that is written with the values that it has is no change to the truth.
    let other = past.entries.filter { entry in
      entry.old != entry.new && !entry.new.contains(nil) && entry.step >= oldest
        && past.entries.count { $0.step == entry.step } == 1
    }.map(\.step)
    let text: Comment = "\(table) \(number) after \(steps[place].number): \(past); \(wrote) wrote it"
    if case .bound = past.origin {
      #expect(told.isSubset(of: wrote) || !other.contains { !wrote.contains($0) }, text)
    } else if past.entries.contains(where: { $0.key != key }) {
      // It had another key before.
      #expect(wrote.isEmpty || wrote.contains { told.contains($0) }, text)
    } else {
      #expect(Set(wrote).isSubset(of: told) && Set(other).isSubset(of: wrote), text)
      if isInserted, past.entries.last?.operation == .insert, let first = wrote.last {
        #expect(past.origin == .insertedBy(step: first), text)
      }
    }
  }
}
