import Collector
import ExhibitSystem
import Foundation
import Testing

/// Random statements, of which a suite has kept every row that they changed: the story tells the same.
///
/// In short some hundred statements; tens of thousands with `EXHIBIT_LONG_TESTS=1`. `STORY_SEED` repeats a run.
@Suite struct StoryTruthTests {
  @Test(arguments: StoryTruth.seeds) func everyRowIsTold(seed: UInt64) async throws {
    let run = try await StoryTruth.run(seed)
    var tally = Tally()
    for truth in try StoryTruth.all(of: run) {
      let path = try #require(try run.story(of: truth.test), "\(truth.test)")
      let story = try ToldStory(String(contentsOfFile: path, encoding: .utf8))
      #expect(story.lines.first?.missing == 0)
      try compare(story, truth.toldLines, of: truth.database, &tally)
    }
    #expect(tally.files == 14)
    #expect(
      tally.compared > (LongTests.areAsked ? 4000 : 400) && tally.changed > tally.compared / 4, "\(tally)")
    #expect(tally.undone > 0 && tally.skipped < tally.compared / 4, "\(tally)")
    try await expectThatTheWALAgrees(run)
  }

  /// What the steps committed is in the WALs of those databases that have one, and nothing else is.
  private func expectThatTheWALAgrees(_ run: FixtureRun) async throws {
    let histories = run.records.compactMap { ($0.payload as? CapturedEvidence)?.database?.history }
    #expect(histories.count > 1)
    _ = try await FixturePackage.recorded.reportAgain(on: run)
    let folder = run.artifacts.path + "/report"
    let report = try ReportJSON(in: folder).document
    #expect(report.notices.filter { $0.kind == "storyContradicted" }.map(\.message) == [])
    let text = try String(contentsOfFile: folder + "/report.json", encoding: .utf8)
    #expect(!text.contains("Another process, connection or test committed"))
  }

  private func compare(
    _ story: ToldStory, _ lines: [StoryTruth.Line], of database: String, _ tally: inout Tally
  ) throws {
    let steps = StoryTruth.steps(
      story.steps, of: database, sql: { $0.line.sql }, connection: { $0.line.connection })
    #expect(Set(steps.map(\.line.connection)).count == 1)
    #expect(steps.map(\.line.sql) == lines.map(\.sql))
    var replay = Replay()
    for (step, line) in zip(steps, lines) where step.line.sql == line.sql {
      try replay.compare(step, line, &tally)
    }
    tally.files += 1
  }
}

private struct Tally: CustomStringConvertible {
  var files = 0
  var compared = 0
  var changed = 0
  var undone = 0
  var skipped = 0

  var description: String {
    "\(files) databases, \(compared) statements, \(changed) that changed rows, \(undone) that undid some, \(skipped) not told"
  }
}

/// One connection's steps in their order: what a rollback undoes is known from the steps before.
private struct Replay {
  private struct Entry {
    var savepoint: String?
    var net = NetChange()
    /// Set when its rows are not told, as those of statements that change the schema.
    var isUnknown = false
  }

  private var transaction: [Entry] = []

  mutating func compare(_ step: ToldStory.Step, _ line: StoryTruth.Line, _ tally: inout Tally) throws {
    let transaction = try #require(step.line.transaction)
    #expect((step.line.error?.code ?? 0) & 0xFF == (line.code == 101 ? 0 : line.code), "\(line.sql)")
    #expect(step.line.unkept == nil)
    if !transaction.before { self.transaction = [] }
    tally.compared += 1
    if let told = told(step, line, transaction, &tally) {
      #expect(told.agrees(with: line.net), "\(line.sql): \(told.rows) is told, and \(line.net.rows) is true")
      if !line.net.isEmpty { tally.changed += 1 }
    } else {
      tally.skipped += 1
    }
    if !transaction.after { self.transaction = [] }
  }

  /// What the story says that a statement has done; `nil` where it says that it cannot.
  private mutating func told(
    _ step: ToldStory.Step, _ line: StoryTruth.Line, _ transaction: ToldStory.Line.Transaction,
    _ tally: inout Tally
  ) -> NetChange? {
    let words = line.sql.uppercased().split(separator: " ").map(String.init)
    let hasFailed = step.line.error != nil
    if transaction.before, !transaction.after, hasFailed || words[0] == "ROLLBACK" {
      tally.undone += 1
      return undo(from: 0)
    }
    if words[0] == "ROLLBACK", !hasFailed {
      guard let place = self.transaction.lastIndex(where: { $0.savepoint == words[2] }) else { return nil }
      return undo(from: place, keepsFirst: true)
    }
    if words[0] == "RELEASE", !hasFailed,
      let place = self.transaction.lastIndex(where: { $0.savepoint == words[1] })
    {
      self.transaction[place].savepoint = nil
    }
    let isUnknown = ["ALTER", "CREATE", "DROP", "VACUUM"].contains(words[0]) && !hasFailed
    self.transaction.append(Entry(net: line.net, isUnknown: isUnknown))
    // What FTS5 writes at a savepoint, it writes before that is made.
    if words[0] == "SAVEPOINT", !hasFailed { self.transaction.append(Entry(savepoint: words[1])) }
    if isUnknown { return nil }
    return net(of: step, line, hasFailed)
  }

  private func net(of step: ToldStory.Step, _ line: StoryTruth.Line, _ hasFailed: Bool) -> NetChange? {
    // SQLITE_CONSTRAINT_FOREIGNKEY is found at the statement's end, and undoes it.
    let isKept = line.sql.contains(" OR FAIL ") && step.line.error?.code != 787
    // FTS5 writes what it still has in memory before the statement begins, and that stays.
    if hasFailed, !isKept { return line.net.filtered { $0.contains(".f_") } }
    var net = step.net(withoutKeys: Self.hasNoKeys)
    for change in step.changes where change.blob != nil {
      #expect(change.operation == "delete" && step.changes.count == 1)
      // The new bytes are in the table alone; they may be the same as before.
      if line.added.isEmpty { return line.net }
      for row in line.added { net.add(row) }
    }
    return net
  }

  private mutating func undo(from place: Int, keepsFirst: Bool = false) -> NetChange? {
    let undone = transaction[place...]
    var sum = NetChange()
    for entry in undone { sum.add(entry.net) }
    let isUnknown = undone.contains(where: \.isUnknown)
    let first = keepsFirst ? undone.first : nil
    transaction.removeSubrange(place...)
    if let first { transaction.append(first) }
    return isUnknown ? nil : sum.inverse
  }

  private static func hasNoKeys(_ table: String) -> Bool {
    table.contains(".b_")
      || (table.contains(".f_") && (table.hasSuffix("_idx") || table.hasSuffix("_config")))
  }
}
