import Collector
import ExhibitSystem
import Foundation
import ReportModel
import Testing

@testable import ReportHistory

/// A history on a server of PostgreSQL is that of a file.
@Suite(
  .enabled(
    if: PostgreSQLServer.isAvailable, "needs the server of postgresql, which ci/setup --postgresql installs"))
struct HistoryServerTests {
  private let first = WrittenHistory.first
  private let second = WrittenHistory.second

  private func run(_ hour: Double, _ outcome: Outcome, label: String = WrittenHistory.label, tests: Int = 1)
    -> KeptRun
  {
    var other = first
    let others = (1..<max(1, tests)).map { number in
      other.name = "testNumber\(number)"
      return WrittenHistory.result(
        other, number % 7 == 0 ? .failed : .passed, number % 7 == 0 ? "got \"\(number)\"" : nil)
    }
    return KeptRun(
      run: WrittenHistory.run(hour, label: label), tests: [WrittenHistory.result(first, outcome)] + others)
  }

  /// The runs of a history with everything that one can have.
  private var runs: [KeptRun] {
    var runs = [
      run(1, .passed), run(2, .failed, tests: 30), run(3, .passed), run(4, .failed, label: "mac", tests: 9),
    ]
    runs[0].add(pass: Array("one".utf8), of: first, began: 7)
    runs[0].set(places: Array("places".utf8))
    runs[0].variations = [first: [PassVariation(statement: "SELECT 1", kind: "rows read")]]
    runs[2].add(
      pass: (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 7919) }, of: first, began: nil)
    runs[2].set(places: Array("other places".utf8))
    runs[2].variations = [second: [PassVariation(statement: "SELECT 2", kind: "order")], first: []]
    runs[3].run.branch = "é\u{1F600}'\\x"
    runs[3].run.ended = 1_014_400.000_000_1
    return runs
  }

  /// All that can be asked of a history.
  private func answers(_ history: any HistoryStore) throws -> [String] {
    let tests = [WrittenHistory.result(first, .failed), WrittenHistory.result(second, .passed)]
    let pass = try history.passes(of: [first, second], label: WrittenHistory.label)[first]?.first
    let variations = try history.variations(label: WrittenHistory.label)
    return [
      "\(try history.overview(mostRuns: 3))", "\(try history.pasts(ofTest: first.description))",
      "\(try history.past(of: tests, in: WrittenHistory.run(9)).sorted { $0.key < $1.key })",
      "\(try history.durations().sorted { $0.key < $1.key })", "\(try history.identities())",
      "\(try history.lastPass(of: [first, second], label: WrittenHistory.label))",
      "\(pass?.packed ?? []) \(pass?.varied.map(\.statement) ?? []) \(pass?.runBegan ?? 0)",
      "\(try pass.map { try history.places(ofRun: $0.run) ?? [] } ?? [])",
      "\(variations.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.varied)" })",
      "\(try history.trends())", "\(try history.trends(TrendFilter(label: "mac")).runs)",
    ]
  }

  @Test func itAnswersAsAFileDoes() throws {
    let (file, server) = (try WrittenHistory(), try ServedHistory())
    for run in runs {
      #expect(try file.file.add(run) != nil)
      #expect(try server.store.add(run) != nil)
      #expect(try server.store.renewed.add(run) == nil)
    }
    try file.file.add(differences: [first: "it read 0 rows"], of: runs[1].run)
    try server.store.renewed.add(differences: [first: "it read 0 rows"], of: runs[1].run)
    let (expected, answered) = (try answers(file.file), try answers(server.store.renewed))
    for (expected, answered) in zip(expected, answered) { #expect(expected == answered) }
    for view in [
      "name || ' ' || tests || ' ' || CAST(failures AS INTEGER) || ' ' || CAST(flaky AS INTEGER) AS line FROM run_counts",
      "identity || ' ' || runs || ' ' || failures || ' ' || CAST(last AS INTEGER) AS line FROM flaky_tests",
      "identity || ' ' || outcome || ' ' || CAST(began AS INTEGER) || ' ' || coalesce(message, '') AS line FROM test_outcomes",
    ] {
      let lines = "SELECT \(view) ORDER BY line"
      let expected = try file.value("SELECT group_concat(line, char(10)) FROM (\(lines))")
      #expect(try server.value(lines) == expected)
    }
    #expect(
      try server.value("SELECT tests || ' ' || failures FROM run_counts WHERE name = 'run-2'") == "30 5")
  }

  @Test func sixteenThatWriteAtOnceLoseNothing() throws {
    let history = try ServedHistory()
    let errors = Locked<[String]>([])
    // They also make the schema at once.
    DispatchQueue.concurrentPerform(iterations: 16) { number in
      do {
        var added = run(Double(number), .failed, tests: 300)
        for test in [first, second] { added.add(pass: [1, 2, 3], of: test, began: 1) }
        added.variations = [second: [], first: []]
        try history.store.renewed.add(added)
      } catch {
        errors.withLock { $0.append("\(error)") }
      }
    }
    #expect(errors.withLock { $0 } == [])
    #expect(try history.value("SELECT count(*) FROM runs") == "16")
    #expect(try history.value("SELECT count(*) FROM outcomes") == "4800")
    #expect(try history.value("SELECT count(*) FROM tests") == "301")
    #expect(try history.value("SELECT count(*) || ' ' || count(DISTINCT text) FROM messages") == "2 2")
    #expect(try history.value("SELECT count(*), count(DISTINCT run) FROM recorded_passes") == "4|2")
  }

  @Test func oneRunThatManyAddAtOnceIsThereOnce() throws {
    let history = try ServedHistory()
    try history.store.add(run(0, .passed, tests: 300))
    let errors = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      do { try history.store.renewed.add(run(1, .failed, tests: 300)) } catch {
        errors.withLock { $0.append("\(error)") }
      }
    }
    #expect(errors.withLock { $0 } == [])
    #expect(try history.value("SELECT count(*) FROM outcomes") == "600")
  }

  @Test func textsOfAnyBytesAndLengthAreKept() throws {
    let history = try ServedHistory()
    var generator = SeededGenerator(seed: 7)
    var (zero, long) = (first, first)
    zero.name = "a\0b"
    // Nothing that can be compressed into a page of an index.
    long.name = String(
      decoding: (0..<15_000).map { _ in UInt8.random(in: 33...126, using: &generator) }, as: UTF8.self)
    let results = [zero, long].map { WrittenHistory.result($0, .failed, "zero \0 in it") }
    for _ in 1...2 {
      try history.store.renewed.add(KeptRun(run: WrittenHistory.run(1), tests: results))
    }
    let past = try history.store.past(of: results, in: WrittenHistory.run(2))
    #expect([zero, long].allSatisfy { past[$0]?.outcomes.count == 2 })
    #expect(past[zero]?.outcomes.first?.message == "zero \u{FFFD} in it")
    #expect(try history.value("SELECT count(*) FROM tests") == "2")
    #expect(try history.store.identities().contains(where: { $0.hasSuffix("a\u{FFFD}b") }))
  }

  // MARK: - Removing and copying

  @Test func oldRunsAreRemovedInPartsWhileOthersAreAdded() throws {
    var history = try ServedHistory()
    for hour in 0..<9 { try history.store.renewed.add(run(Double(hour), .failed, tests: 20)) }
    history.store.mostRunsAtOnce = 2
    let (store, errors) = (history.store, Locked<[String]>([]))
    let removed = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 6) { number in
      do {
        if number > 0 {
          try store.renewed.add(run(Double(8 + number), .passed, tests: 20))
        } else {
          let now = WrittenHistory.run(8).began + 86_400
          let count = try store.prune(keptRuns: nil, keptDays: 1, now: now)
          removed.withLock { $0 = count }
        }
      } catch {
        errors.withLock { $0.append("\(error)") }
      }
    }
    #expect(errors.withLock { $0 } == [])
    #expect(removed.withLock { $0 } == 8)
    #expect(try history.value("SELECT count(*) FROM runs") == "6")
    #expect(try history.value("SELECT count(*) FROM outcomes") == "120")
    #expect(
      try history.value(
        "SELECT count(*) FROM outcomes LEFT JOIN tests ON tests.id = test WHERE tests.id IS NULL") == "0")
    #expect(try store.renewed.prune(keptRuns: 1, keptDays: nil, now: currentTime()) == 5)
    #expect(try history.value("SELECT count(*) FROM messages") == "1")
    #expect(try history.value("SELECT count(*) FROM recorded_passes") == "0")
  }

  @Test func aHistoryGoesFromAFileToAServerAndBack() throws {
    let (file, copy, server) = (try WrittenHistory(), try WrittenHistory(), try ServedHistory())
    for run in runs { try file.file.add(run) }
    try file.file.add(differences: [first: "it read 0 rows"], of: runs[1].run)
    #expect(try server.store.addRuns(of: file.file) == CopiedRuns(added: 4, known: 0))
    #expect(try server.store.addRuns(of: file.file) == CopiedRuns(added: 0, known: 4))
    #expect(try copy.file.addRuns(of: server.store) == CopiedRuns(added: 4, known: 0))
    let before = try copy.bytes
    #expect(try copy.file.addRuns(of: server.store) == CopiedRuns(added: 0, known: 4))
    #expect(try copy.bytes.count == before.count)
    let expected = try answers(file.file)
    for history in [server.store.renewed, copy.file] as [any HistoryStore] {
      for (expected, answered) in zip(expected, try answers(history)) { #expect(expected == answered) }
    }
    for table in [
      "outcomes", "tests", "messages", "recorded_passes", "run_places", "variations", "differences",
      "run_totals",
    ] {
      let count = "SELECT count(*) FROM \(table)"
      #expect(try server.value(count) == file.value(count), "\(table)")
      #expect(try copy.value(count) == file.value(count), "\(table)")
    }
  }

  @Test func aCopyThatEndsEarlyIsWholeAndGoesOn() throws {
    let (file, server) = (try WrittenHistory(), try ServedHistory())
    for hour in 1...5 { try file.file.add(run(Double(hour), .passed, tests: 20)) }
    try server.store.add(run(90, .passed))
    // A run is refused in the middle of it.
    try server.value("ALTER TABLE outcomes ADD CHECK (run < 5) NOT VALID")
    let error = try #require(throws: HistoryError.self) { try server.store.addRuns(of: file.file) }
    #expect("\(error)".contains("violates check constraint"), "\(error)")
    let whole =
      "SELECT count(*) FROM runs WHERE 20 <> (SELECT count(*) FROM outcomes WHERE run = runs.id) AND name <> 'run-90'"
    #expect(try server.value(whole) == "0")
    #expect(try server.value("SELECT count(*) FROM runs") != "6")
    try server.value("ALTER TABLE outcomes DROP CONSTRAINT outcomes_run_check")
    _ = try server.store.addRuns(of: file.file)
    #expect(try server.value("SELECT count(*) FROM runs") == "6")
    #expect(try server.value(whole) == "0")
  }
}
