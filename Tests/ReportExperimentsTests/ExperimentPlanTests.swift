import Collector
import ExhibitSQLite
import Testing

@testable import ReportCauses
@testable import ReportExperiments
@testable import ReportInspection
@testable import ReportModel
@testable import ReportPlaces
@testable import ReportStory
@testable import ReportTestSupport

/// In which order experiments are planned and tried, and what the file for the test process says.
@Suite struct ExperimentPlanTests {
  /// A test that writes two tables and reads one, with another read on the way.
  private func plan(_ add: (inout WrittenStory) -> Void) throws -> ExperimentPlan {
    var story = WrittenStory()
    add(&story)
    let told = try story.told()
    let causes = Causes(told, files: [], message: unequal(5, 6))
    return ExperimentPlan(ExperimentBasis(told, causes.failingReads, [], message: unequal(5, 6)))
  }

  private func statements(_ plan: ExperimentPlan) -> [String] { plan.subjects.compactMap(\.sql) }

  @Test func whatIsNearTheFailureComesFirst() throws {
    let plan = try plan { story in
      story.step("CREATE TABLE visit (id INTEGER PRIMARY KEY, day TEXT UNIQUE)")
      story.step("INSERT INTO other(x) VALUES (1)", changed: 1)
      story.read("SELECT x FROM other WHERE x > 3", 7)
      story.step("UPDATE visit SET day = '2' WHERE id > 3", changed: 1)
      story.read("SELECT count(*) FROM visit WHERE day <= '3'", 5)
    }
    let statements = statements(plan)
    #expect(statements.first == "SELECT count(*) FROM visit WHERE day <= '3'")
    #expect(statements.dropFirst().first == "UPDATE visit SET day = '2' WHERE id > 3")
    let schema = try #require(statements.firstIndex { $0.hasPrefix("CREATE") })
    #expect(schema > 1)
    // The likely ones come first, and of an operator's several ones the others later.
    for subject in plan.subjects where subject.sql != nil {
      let weights = subject.experiments.map(\.weight)
      #expect(weights == weights.sorted(by: >), "\(subject.sql ?? "")")
    }
    #expect(plan.subjects.contains { $0.sql == nil })
  }

  /// A test may compare what code made of reads and wrote.
  @Test func readsBeforeTheLastWritesLeadWhereNoneIsBehindThem() throws {
    let plan = try plan { story in
      story.step("UPDATE visit SET day = '2' WHERE id > 3", changed: 1)
      story.read("SELECT sum(x) FROM other WHERE x > 3", 700)
      story.read("SELECT count(*) FROM visit WHERE day <= '3'", 900)
      story.step("INSERT INTO total(n) VALUES (1600)", changed: 1)
    }
    let nearest = plan.subjects.filter { $0.distance == 0 }.compactMap(\.sql)
    #expect(
      Set(nearest) == ["SELECT sum(x) FROM other WHERE x > 3", "SELECT count(*) FROM visit WHERE day <= '3'"])
  }

  @Test func whatTheLastCommitChangedIsTriedSooner() throws {
    var story = WrittenStory()
    for (number, offset) in [(0, 1), (1, 2)] { story.stack(number, [offset]) }
    let updates = ["UPDATE visit SET day = '2' WHERE id > 3", "UPDATE visit SET day = '4' WHERE id > 5"]
    for (number, sql) in updates.enumerated() {
      story.step(sql, changed: 1, more: #","stack":\#(number)"#)
    }
    story.read("SELECT count(*) FROM visit WHERE day <= '3'", 5)
    let lines = [1, 2].map { offset in
      Place(
        symbol: "move", name: PlaceName(module: "Clinic", function: "Visits.move()"),
        file: "Sources/Visits.swift",
        line: 100 * offset)
    }
    let file = CodePlaces.File(
      code: CodeFile(path: "/tests", size: 1, changedAt: 1), places: [1: [lines[0]], 2: [lines[1]]])
    let told = try story.told(places: CodePlaces([file]))
    func order(_ changes: [ChangedLines]) -> [String] {
      let reads = Causes(told, files: [], message: unequal(5, 6)).failingReads
      var basis = ExperimentBasis(told, reads, [], message: unequal(5, 6))
      basis.changes = changes
      let plan = ExperimentPlan(basis)
      var queue = ExperimentQueue(plan)
      var found: [String] = []
      while let next = queue.next() {
        guard let sql = plan.subjects[next.subject].sql, updates.contains(sql) else { continue }
        found.append(sql)
      }
      return found
    }
    let change = ChangedLines(
      path: "Sources/Visits.swift", oldStart: 97, oldCount: 6, newStart: 97, newCount: 7, lines: [])
    #expect(order([]).first == updates[1])
    #expect(order([change]).first == updates[0])
  }

  @Test func aStatementThatRanOftenIsPlannedOnce() throws {
    let plan = try plan { story in
      for _ in 1...50 { story.read("SELECT count(*) FROM visit WHERE day <= '3'", 5) }
    }
    #expect(statements(plan).count == 1)
  }

  /// The statements of so many experiments, where those of some have no effect.
  private func order(_ plan: ExperimentPlan, _ count: Int, without: Set<Int> = []) -> [Int] {
    var queue = ExperimentQueue(plan)
    return (0..<count).compactMap { _ in
      guard let next = queue.next() else { return nil }
      queue.note(next, without.contains(next.subject) ? .none : .other)
      return next.subject
    }
  }

  @Test func statementsWithoutEffectComeLaterAndThoseThatLeadNearerSooner() throws {
    let plan = try plan { story in
      for number in 1...20 {
        story.read("SELECT a, b FROM visit WHERE day <= '\(number)' AND b > 3 ORDER BY a", 5)
      }
    }
    let order = order(plan, 400, without: [0])
    let tried = Dictionary(grouping: order, by: { $0 }).mapValues(\.count)
    #expect(tried[1]! > tried[0]! && tried[1]! >= tried[19]! && tried[0]! > 4)
    // All that would be tried of one before the next has its turn.
    func beforeOthers(_ effect: ExperimentQueue.Effect) -> Int {
      var queue = ExperimentQueue(plan)
      var count = 0
      while let next = queue.next(), next.subject == 0 || count < 1 {
        queue.note(next, next.subject == 0 ? effect : .none)
        count += 1
      }
      return count
    }
    #expect(beforeOthers(.nearer) > beforeOthers(.other))
  }

  @Test(arguments: [
    ("(\"28\") is not equal to (\"30\")", true), ("(\"26\") is not equal to (\"30\")", false),
    ("(\"27\") is not equal to (\"31\")", false), ("(\"29\") is not equal to (\"28\")", false),
    ("threw error", false), ("(\"nan\") is not equal to (\"30\")", false), ("28 29 30", false),
    ("(\"28.5\") is not equal to (\"30\")", true),
    ("(\"-9223372036854775808\") is not equal to (\"30\")", false),
  ])
  func aValueNearerToTheExpectedOneIsSeen(message: String, isNearer: Bool) {
    #expect(
      ComparedNumbers.isNearer(message, than: "(\"27\") is not equal to (\"30\")") == isNearer)
  }

  @Test func aTriggerThatATableMadeAnewHasLostIsMadeAgain() throws {
    let trigger = "CREATE TRIGGER counted AFTER INSERT ON visit BEGIN SELECT 1; END"
    func added(_ statements: [String]) throws -> [Intervention] {
      try plan { story in
        for sql in statements { story.step(sql) }
        story.read("SELECT count(*) FROM visit", 5)
      }.subjects.flatMap(\.experiments).filter { $0.operatorName == "made again" }.map(\.intervention)
    }
    let made = ["CREATE TABLE visit (id INTEGER PRIMARY KEY)", "CREATE INDEX day_of ON visit(id)", trigger]
    let anew = ["DROP TABLE visit", "ALTER TABLE visit_new RENAME TO visit"]
    #expect(
      try added(made + anew) == [
        .before("SELECT count(*) FROM visit", run: "CREATE INDEX day_of ON visit(id)"),
        .before("SELECT count(*) FROM visit", run: trigger),
      ])
    #expect(
      try added(made + anew + [trigger]) == [
        .before("SELECT count(*) FROM visit", run: "CREATE INDEX day_of ON visit(id)")
      ])
    // A table that was renamed takes them along.
    let renamed = ["ALTER TABLE visit RENAME TO visit_old", made[0], "DROP TABLE visit_old"]
    #expect(try added(made + renamed) == added(made + anew))
    #expect(try added(made).isEmpty)
    #expect(try added(made + ["DROP TRIGGER counted", "DROP INDEX day_of"] + anew).isEmpty)
  }

  /// The rows that a failing read asks for were changed by a write that forgets a condition.
  private func forgotten(_ update: String = "UPDATE share SET settled = 1 WHERE person = 2") throws
    -> ExperimentPlan
  {
    let folder = try TemporaryFolder()
    let file = try folder.database(
      "shop.sqlite",
      "CREATE TABLE share (id INTEGER PRIMARY KEY, tab INTEGER, person INTEGER, settled INTEGER)")
    let schema = CapturedSchema(
      of: file, evidence: "shop.sqlite", source: "/tmp/shop.sqlite", isUncommitted: false)
    var story = WrittenStory()
    story.step(update, changed: 2)
    for (key, tab) in [(5, 1), (6, 2)] {
      story.change(.update, "share", key, old: "[\(key),\(tab),2,0]", new: "[\(key),\(tab),2,1]")
    }
    story.step("UPDATE share SET settled = 0 WHERE person = 9", changed: 1)
    story.change(.update, "share", 7, old: "[7,2,9,1]", new: "[7,2,9,0]")
    story.read("SELECT count(*) FROM share WHERE tab = 2 AND person = 2 AND settled = 0", 5)
    let told = try story.told(schemas: [schema])
    let causes = Causes(told, files: [], message: unequal(5, 6))
    return ExperimentPlan(ExperimentBasis(told, causes.failingReads, [schema], message: unequal(5, 6)))
  }

  @Test func aWriteThatChangedTheRowsThatAreAskedForIsTriedFirst() throws {
    let plan = try forgotten()
    #expect(
      statements(plan).prefix(3) == [
        "UPDATE share SET settled = 1 WHERE person = 2",
        "SELECT count(*) FROM share WHERE tab = 2 AND person = 2 AND settled = 0",
        "UPDATE share SET settled = 0 WHERE person = 9",
      ])
    // It is no failing read, whose emptiness would say nothing.
    #expect(plan.subjects.map(\.isFailing).prefix(2) == [false, true])
  }

  @Test func whatTellsTheChangedRowsApartIsAConditionMore() throws {
    func found(_ update: String) throws -> [PlannedExperiment] {
      try forgotten(update).subjects.flatMap(\.experiments).filter { $0.operatorName == "rows apart" }
    }
    let apart = try found("UPDATE share SET settled = 1 WHERE person = 2")
    #expect(
      apart.map(\.words) == [
        // That of the other tab is one that the read asks.
        "With the condition “share.tab = 1” more", "With the condition “share.id = 5” more",
        "With the condition “share.id = 6” more",
      ])
    #expect(apart.first?.bare == "With the condition on “share.tab” more")
    guard case .statement(_, let replacement)? = apart.first?.intervention else {
      Issue.record("no statement")
      return
    }
    #expect(replacement == "UPDATE share SET settled = 1 WHERE person = 2 AND share.tab = 1")
    // It asks for it already, or changed one row.
    let asked = try found("UPDATE share SET settled = 1 WHERE person = 2 AND share.tab = 1")
    #expect(!asked.contains { $0.words.contains("tab = 1") })
  }

  @Test func aWriteThatRepeatsAnEarlierOneIsLeftOut() throws {
    let update = "UPDATE visit SET paid = paid + 1 WHERE id = ?"
    func repeated(_ add: (inout WrittenStory) -> Void) throws -> [PlannedExperiment] {
      try plan { story in
        add(&story)
        story.read("SELECT sum(paid) FROM visit", 5)
      }.subjects.flatMap(\.experiments).filter { $0.operatorName == "run again" }
    }
    func write(_ story: inout WrittenStory, _ key: Int, _ old: Int) {
      story.step(update, changed: 1)
      story.change(.update, "visit", key, old: "[\(key),\(old)]", new: "[\(key),\(old + 1)]")
    }
    let found = try repeated { story in
      for (key, old) in [(1, 0), (2, 0), (1, 1), (3, 0)] { write(&story, key, old) }
    }
    #expect(found.map(\.intervention) == [.leavesOut(update, run: 3)])
    #expect(found.map(\.step) == [3])
    #expect(found.first?.words == "Without run 3 of “UPDATE visit”, which repeats an earlier one,")
    let bytes = try #require(found.first?.intervention.file)
    #expect(bytes[8...11] == [4, 0, 0, 0] && bytes[20...23] == [3, 0, 0, 0])
    // Runs are counted from the test's beginning.
    #expect(
      try repeated { story in
        story.number = 7
        for old in 0...1 { write(&story, 1, old) }
      }.isEmpty)
    // Rows with the same values, whatever their keys; at most six, the last ones first.
    let inserted = try repeated { story in
      for key in 1...9 { story.insert("visit", key, #"[\#(key),"2026-03-03","Ida"]"#) }
    }
    #expect(inserted.compactMap(\.step) == [9, 8, 7, 6, 5, 4])
    #expect(
      try repeated { story in
        for key in 1...3 { story.insert("visit", key, #"[\#(key),"2026-03-0\#(key)","Ida\#(key)"]"#) }
      }.isEmpty)
  }

  @Test func noMoreThanTheMostAreTriedAndAllOfFewOnes() throws {
    let many = try plan { story in
      for number in 1...40 {
        story.read("SELECT a, b FROM visit WHERE day <= '\(number)' AND b > 3 ORDER BY a", 5)
      }
    }
    #expect(order(many, 10_000).count == ExperimentPlan.most)
    let few = try plan { $0.read("SELECT count(*) FROM visit WHERE day <= '3'", 5) }
    let singles = few.subjects.reduce(0) { $0 + $1.experiments.count }
    #expect(order(few, 10_000, without: Set(few.subjects.indices)).count == singles)
    // Where one change has an effect two may do.
    var queue = ExperimentQueue(few)
    var found: [PlannedExperiment] = []
    while let next = queue.next() {
      queue.note(next, .other)
      found.append(next.experiment)
    }
    #expect(found.count > singles && Set(found).count == found.count)
    #expect(found[singles...].allSatisfy { $0.operatorName.contains(", ") })
    // Of those with which a test passes any single change leads.
    let least = try #require(found[..<singles].map(\.likelihood).min())
    #expect(found[singles...].allSatisfy { $0.likelihood < least })
  }

  @Test func whereTheTestPassesOthersAreTriedForAsLongAgain() throws {
    let many = try plan { story in
      for number in 1...40 {
        story.read("SELECT a, b FROM visit WHERE day <= '\(number)' AND b > 3 ORDER BY a", 5)
      }
    }
    func count(passingAt number: Int) -> Int {
      var queue = ExperimentQueue(many)
      var count = 0
      while let next = queue.next() {
        count += 1
        queue.note(next, .other)
        if next.number == number { queue.notePass(next) }
      }
      return count
    }
    #expect(count(passingAt: 7) == 67)
    #expect(count(passingAt: 200) == 400)
    #expect(count(passingAt: 590) == ExperimentPlan.most)
  }

  @Test func theFileForTheTestProcessIsWhatTheHeaderSays() throws {
    let bytes = try #require(Intervention.statement("SELECT 1", replacement: "SELECT 2 + 3").file)
    #expect(bytes.count == 56 + 8 + 12 + 2)
    #expect(String(decoding: bytes.prefix(8), as: UTF8.self) == "EXHINTV3")
    #expect(
      bytes[8...11] == [1, 0, 0, 0] && bytes[12...15] == [8, 0, 0, 0] && bytes[16...19] == [12, 0, 0, 0])
    #expect(String(decoding: bytes[56...], as: UTF8.self) == "SELECT 1\0SELECT 2 + 3\0")
    #expect(Intervention.Counts(bytes) == Intervention.Counts(applied: 0, refused: 0))
    #expect(Intervention.Counts([UInt8](repeating: 0, count: 55)) == nil)
    // What no text of C can say, and what is too long.
    #expect(Intervention.statement("SELECT '\0'", replacement: "SELECT 1").file == nil)
    #expect(Intervention.connection(String(repeating: "x", count: 1 << 20)).file == nil)
    #expect(Intervention.environment("TZ", "UTC").file == nil)
  }
}
