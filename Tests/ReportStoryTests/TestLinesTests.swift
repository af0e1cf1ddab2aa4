import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import Testing

@testable import ReportPlaces
@testable import ReportStory
@testable import ReportTestSupport

/// A story told by the lines of the test's own function.
@Suite struct TestLinesTests {
  private static let test = TestCaseID(module: "DepotTests", suite: ["SiteTests"], name: "testStock")
  private static let code = CodeFile(path: "/tests", size: 1, changedAt: 1)

  /// Offset 1 is the test's line 20, 2 its line 21, 3 a function of the app, 4 a detached task, 5 another line of the app.
  private static let places = CodePlaces([
    CodePlaces.File(
      code: code,
      places: [
        1: [place("SiteTests.testStock()", "DepotTests", "Tests/SiteTests.swift", 20)],
        2: [place("SiteTests.testStock()", "DepotTests", "Tests/SiteTests.swift", 21)],
        3: [place("Depot.put(_:)", "Depot", "Sources/Depot.swift", 40)],
        4: [place("Depot.tidy()", "Depot", "Sources/Depot.swift", 70)],
        5: [place("Depot.put(_:)", "Depot", "Sources/Depot.swift", 41)],
      ])
  ])

  private static func place(_ function: String, _ module: String, _ file: String, _ line: Int) -> Place {
    Place(symbol: function, name: PlaceName(module: module, function: function), file: file, line: line)
  }

  /// A step for each stack, which inserts a row.
  private func story(_ stacks: [[Int]?], baseline: Int? = nil, failedAt line: Int? = 21) -> Story {
    var recorded = Self.recorded(stacks)
    if let baseline { recorded.baselines = [.init(after: baseline)] }
    return Self.story(recorded, failedAt: line)
  }

  private static func recorded(_ stacks: [[Int]?]) -> RecordedStory {
    var recorded = RecordedStory()
    recorded.test = test
    recorded.code = [RecordedStory.Code(number: 0, path: "/tests", size: 1, changedAt: 1)]
    for (index, stack) in stacks.enumerated() {
      let step = RecordedStory.Step(
        number: index + 1,
        changes: [.init(operation: .insert, table: "stock", key: Int64(index), new: [.integer(1)])])
      step.sql = "INSERT INTO stock VALUES (1)"
      (step.rows, step.changed) = (0, 1)
      if let stack {
        step.stack = index
        recorded.stacks.append(RecordedStory.Stack(number: index, frames: stack.flatMap { [0, $0] }))
      }
      recorded.steps.append(step)
    }
    recorded.issues = [.init(after: stacks.count, ordinal: 0)]
    return recorded
  }

  private static func story(_ recorded: RecordedStory, failedAt line: Int?) -> Story {
    let location = line.map { SourceReference(file: "Tests/SiteTests.swift", line: $0) }
    let issue = TestIssue(message: "1 is not 2", location: location, severity: .error, isKnown: false)
    return StoryBuilder.story(of: recorded, issues: [issue], places: places)
  }

  @Test func eachLineOfTheTestSaysWhatItDid() {
    let lines = story([[3, 1], [3, 1], [5, 1], [2]]).lines
    #expect(lines.map(\.place?.line) == [20, 21] && lines.map(\.steps) == [3, 1])
    #expect(lines[0].called.map(\.place.line) == [40, 41] && lines[0].called.map(\.steps) == [2, 1])
    #expect(lines[0].sentence == "+3 stock" && lines[0].called[0].sentence == "+2 stock")
    #expect(lines[1].called.isEmpty && lines[1].isFailure && !lines[0].isFailure)
    #expect((lines[0].first, lines[0].last) == (1, 3))
  }

  @Test func aLoopIsOneLineThatWasComeToOften() {
    let lines = story([[3, 1], [2], [3, 1], [2], [3, 1]], failedAt: 30).lines
    #expect(lines.map(\.place?.line) == [20, 21, 30] && lines.map(\.times) == [3, 2, 0])
    #expect(lines[2].isFailure && lines[2].steps == 0)
  }

  @Test func setUpAndWorkElsewhereAreRowsOfTheirOwn() {
    let lines = story([[3, 1], [3, 1], [4], [2], nil], baseline: 1).lines
    #expect(lines.map(\.kind).first == .setUp && lines.map(\.steps) == [1, 1, 2, 1])
    #expect(lines.last?.place?.line == 21 && lines[2].kind == .elsewhere)
  }

  @Test func aLineTellsWhatFailedInIt() {
    let recorded = Self.recorded([[3, 1], [3, 1], [5, 1], [5, 1], [2]])
    for (index, code) in [787, 787, 1811].enumerated() {
      recorded.steps[index].error = RecordedStory.Failure(
        code: code, message: code == 787 ? "FOREIGN KEY constraint failed" : "Ida has no stock")
      recorded.steps[index].changes = []
    }
    var story = Self.story(recorded, failedAt: 21)
    let texts = { (story: Story) in story.lines[0].called.map { $0.failures?.text } }
    #expect(story.lines[0].failures?.text == "3 failed (2 with FOREIGN KEY constraint failed)")
    #expect(texts(story) == ["2 failed (FOREIGN KEY constraint failed)", "1 failed (Ida has no stock)"])
    #expect(story.lines[1].failures == nil)
    story.removeValues(names: [])
    #expect(texts(story) == ["2 failed (FOREIGN KEY constraint failed)", "1 failed (SQLite error 1811)"])
  }

  @Test(arguments: [
    (5, "INSERT INTO stock VALUES (1)", true), (517, "INSERT INTO stock VALUES (1)", true),
    (5, "INSERT INTO stock VALUES (2)", false), (2067, "INSERT INTO stock VALUES (1)", false),
  ])
  func whatWasLockedAndWentThroughLaterIsNoFailure(code: Int, later: String, isRetried: Bool) {
    let recorded = Self.recorded([[3, 1], [3, 1], [2]])
    recorded.steps[0].error = RecordedStory.Failure(code: code, message: "no")
    (recorded.steps[1].sql, recorded.steps[2].sql) = (later, "SELECT 1")
    let failures = Self.story(recorded, failedAt: 21).lines[0].failures
    #expect(failures?.isRetried == isRetried)
    #expect(failures?.text == (isRetried ? "1 failed (no), the same ran later" : "1 failed (no)"))
  }

  @Test func aLineTellsItsStatementsThatChangedRows() {
    let recorded = Self.recorded([[3, 1], [3, 1], [5, 1], [5, 1], [2]])
    recorded.steps[1].changed = 3
    recorded.steps[2].sql = "UPDATE stock SET name = 'Ida'"
    recorded.steps[3].sql = recorded.steps[2].sql
    (recorded.steps[3].changed, recorded.steps[3].changes) = (0, [])
    var story = Self.story(recorded, failedAt: 21)
    #expect(
      story.lines[0].writes == [
        TestLine.Write(sql: "INSERT INTO stock VALUES (1)", runs: 2, rows: 4),
        TestLine.Write(sql: "UPDATE stock SET name = 'Ida'", runs: 2, rows: 1),
      ])
    story.removeValues(names: ["stock", "name"])
    #expect(story.lines[0].writes.last?.sql.contains("Ida") == false)
  }

  @Test func aLineTellsWhichRunsChangedOtherThanMost() {
    let recorded = Self.recorded([[3, 1], [3, 1], [3, 1], [3, 1], [3, 1], [2]])
    for (step, changed) in zip(recorded.steps, [3, 3, 1, 2, 3]) { step.changed = changed }
    #expect(
      Self.story(recorded, failedAt: 21).lines[0].notes.first
        == "2 of 5 “INSERT stock” changed 1 to 2 rows, the others 3")
    for (step, changed) in zip(recorded.steps, [1, 0, 1, 1, 1]) { step.changed = changed }
    recorded.steps[1].changes = []
    #expect(
      Self.story(recorded, failedAt: 21).lines[0].notes.first
        == "1 of 5 “INSERT stock” changed no row, the others 1")
    for step in recorded.steps { step.changed = 1 }
    #expect(Self.story(recorded, failedAt: 21).lines[0].notes == [])
  }

  /// A table that is made anew, with what follows.
  private static func remade(_ statements: [String]) -> [String] {
    let all =
      [
        "CREATE TABLE stock(n)", "CREATE TRIGGER counted AFTER UPDATE ON stock BEGIN SELECT 1; END",
        "CREATE INDEX by_n ON Stock(n)", "CREATE TABLE stock_new(n, place)", "DROP TABLE stock",
      ] + statements
    let recorded = recorded(all.indices.map { $0 < 3 ? [3] : $0 < all.count - 1 ? [3, 1] : [2] })
    for (step, sql) in zip(recorded.steps, all) { (step.sql, step.changes, step.changed) = (sql, [], nil) }
    return story(recorded, failedAt: 21).lines.first { $0.place?.line == 20 }?.notes ?? []
  }

  @Test func aLineTellsWhatWentWithATableThatWasMadeAnew() {
    let rename = "ALTER TABLE stock_new RENAME TO stock"
    #expect(
      Self.remade([rename, "SELECT 1"])
        == ["stock took along the index by_n, the trigger counted, and was made anew without them"])
    let index = "stock took along the index by_n, and was made anew without it"
    #expect(
      Self.remade([rename, "CREATE TRIGGER Counted AFTER INSERT ON stock BEGIN SELECT 2; END", "SELECT 1"])
        == [index])
    // What is not there any more has no triggers.
    #expect(Self.remade(["SELECT 1"]) == [])
    // It was made again, and went on purpose.
    let trigger = "CREATE TRIGGER counted AFTER INSERT ON stock BEGIN SELECT 2; END"
    #expect(Self.remade([rename, trigger, "DROP TRIGGER counted", "SELECT 1"]) == [index])
    #expect(Self.remade([rename, trigger, "CREATE INDEX by_other ON stock(n)", "SELECT 1"]) == [])
    // A temporary one of its name may have been dropped.
    #expect(Self.remade(["CREATE TEMP TABLE stock(n)", "SELECT 1"]) == [])
  }

  /// The leading reads of a story whose steps are made at these stacks; a read of the stock returns its number.
  private static func leading(_ stacks: [[Int]?], _ message: String) -> (steps: [Int], line: Int?) {
    let recorded = recorded(stacks)
    for step in recorded.steps.dropFirst() {
      step.sql = "SELECT n + \(step.number) FROM stock\(step.number % 3)"
      (step.changes, step.isReadOnly, step.rows) = ([], true, 1)
      step.results = [[.integer(Int64(100 * step.number))]]
    }
    let issue = TestIssue(message: message, location: nil, severity: .error, isKnown: false)
    let story = StoryBuilder.story(of: recorded, issues: [issue], places: places)
    return (story.leadingReads.map { story.highlights[$0].last }, story.readingLine)
  }

  @Test func theReadsOfOneLineLeadTogether() {
    // Steps 3 and 6 ask the same, and of those the last one is told.
    #expect(
      Self.leading([[3, 1], [3, 1], [3, 2], [3, 2], [3, 2], [3, 2]], "1 is not 2") == ([4, 5, 6], 21))
    #expect(Self.leading([[3, 1], [3, 1], [3, 2]], "1 is not 2") == ([3], nil))
    #expect(Self.leading([[3, 1], nil, nil], "1 is not 2") == ([3], nil))
  }

  @Test func theReadThatReturnedTheValueComesFirst() {
    let message = #"XCTAssertEqual failed: ("500") is not equal to ("2")"#
    #expect(
      Self.leading([[3, 1], [3, 1], [3, 2], [3, 2], [3, 2], [3, 2]], message) == ([5, 4, 6], 21))
    // A later line's read is no part of it.
    #expect(Self.leading([[3, 1], [3, 1], [3, 1], [3, 1], [3, 1], [3, 2]], message).steps.first == 5)
    #expect(!Self.leading([[3, 1], [3, 1], [3, 1], [3, 1], [3, 1], [3, 2]], message).steps.contains(6))
  }

  @Test func theRunThatChangedNothingWhereMostDidIsTheExample() {
    let recorded = Self.recorded([[3, 1], [3, 1], [3, 1], [2]])
    (recorded.steps[0].changed, recorded.steps[0].changes) = (0, [])
    let runs = Self.story(recorded, failedAt: 21).statements.first
    #expect(runs?.example.number == 1 && runs?.isUnlike == true && runs?.isMixed == true)
  }

  @Test func whatWasOverwrittenIsCountedAtItsPlace() {
    var recorded = Self.recorded([[3, 1], [2]])
    recorded.stacks.append(RecordedStory.Stack(number: 9, frames: [0, 3, 0, 1]))
    recorded.overwritten = [
      RecordedStory.Overwritten(sql: "INSERT", stack: 9, steps: 500, rows: 400, first: 1, last: 500)
    ]
    let lines = Self.story(recorded, failedAt: 21).lines
    #expect(lines.map(\.steps) == [501, 1] && lines.map(\.counted) == [500, 0])
    #expect(lines[0].called.map(\.steps) == [501])
    #expect(lines[0].called.first?.sentence == "+1 stock, 400 rows changed that are only counted")
  }

  @Test func withoutPlacesThereAreNoLines() {
    #expect(story([nil, nil]).lines.isEmpty)
    #expect(story([[9], [8]]).lines.isEmpty)
  }

  @Test func aStepKnowsTheFunctionsThatLedToIt() {
    let step = story([[3, 1], [2]])[step: 1]
    #expect(step?.stack?.frames.map(\.place.line) == [40, 20])
  }

  /// An event loop runs what others scheduled: nothing on its stack is the package's own.
  @Test func aStepOfAnEventLoopKnowsWhereItsConnectionWasOpened() {
    var recorded = Self.recorded([[3, 1], [9]])
    recorded.steps[1].connection = 7
    recorded.opened = [.init(connection: 7, after: 0, stack: 0)]
    let story = Self.story(recorded, failedAt: 21)
    #expect(story[step: 1]?.opener == nil)
    #expect(story[step: 2]?.opener?.line == 40)
  }
}
