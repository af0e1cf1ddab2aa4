import Collector
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportModel
@testable import ReportPipeline
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport
@testable import Reporter

/// `reporter show`: one test in the terminal, or as a document.
@Suite struct ShowCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("// swift-tools-version: 6.2\n", to: "Package.swift")
    let source = (1...9).map { "  line \($0)\n" }.joined()
    try folder.write(source, to: "Tests/A.swift")
    let run = "test-artifacts/runs/r"
    let manifest =
      #"{"format":"1.4","host":"h","owner":{"pid":1,"startTicks":2},"package":"\#(folder.path)","run":"r","start":1795250657.5,"toolchain":"Swift 6.3"}"#
    try folder.write(manifest, to: "\(run)/run.json")
    try folder.write(Self.story(in: folder).bytes, to: "\(run)/evidence/a/story.jsonl")
    try folder.database(
      "\(run)/evidence/a/shop.sqlite",
      "CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT, placed_at TEXT);"
        + "CREATE TABLE other(a); INSERT INTO orders VALUES (7, 'paid\u{1B}[2J', NULL);")
    var log = try WrittenLog()
    for name in ["testShip", "testShipment", "testPay", "testRefund", "testRefundTwice"] {
      try log.start(.store(name))
      if name == "testShip" {
        try log.add(
          .store(name),
          RecordedIssue(
            message: "XCTAssertEqual failed: (\"143\") is not equal to (\"95\") \u{1B}]0;title\u{7}",
            file: folder.path + "/Tests/A.swift", line: 5))
        try add("shop.sqlite", .database, to: &log)
        try add("story.jsonl", .story, to: &log)
      }
      try log.finish(.store(name), name == "testShip" ? .failed : .passed)
    }
    try log.end()
    try folder.write(log.bytes, to: "\(run)/logs/7-70.jsonl")
  }

  private func add(_ name: String, _ kind: EvidenceKind, to log: inout WrittenLog) throws {
    try log.add(
      .store("testShip"),
      CapturedEvidence(
        kind: kind, name: name, path: "evidence/a/\(name)", bytes: 100,
        source: kind == .database ? folder.path + "/shop.sqlite" : nil,
        database: kind == .database
          ? DatabaseCapture(method: .readTransaction, wal: .absent, databaseBytes: 1, walBytes: 0) : nil))
  }

  private static func story(in folder: TemporaryFolder) -> WrittenStory {
    var story = WrittenStory(path: folder.path + "/shop.sqlite")
    story.step("BEGIN")
    story.step("UPDATE orders SET state = 'paid'", changed: 1)
    story.change(.update, "orders", 7, old: #"[7,"new",null]"#, new: #"[7,"paid\u001b[2J",null]"#)
    story.step("COMMIT")
    story.step("UPDATE orders SET state = 'x' WHERE id = 9", changed: 0)
    story.step("SELECT 143 AS n FROM orders", rows: 1, results: "[[143]]", columns: #"["n"]"#)
    story.issue(0)
    return story
  }

  private func show(_ arguments: String..., environment: [String: String] = [:]) throws -> CommandResult {
    try ReporterProcess.run(["show"] + arguments, in: folder.path, environment: environment)
  }

  @Test func aTestIsShownWithItsMessageSourceStoryAndSchema() throws {
    let result = try show("testShip")
    #expect(result.status == 0, "\(result.errors)")
    try Golden.expect(ReportFile(path: "test.txt", text: result.output), in: "show")
  }

  /// `reporter diff --story` on a test that failed in both runs.
  @Test func aFailureIsComparedWithAnother() throws {
    let runs = folder("test-artifacts/runs")
    try run("cp", "-R", runs + "/r", runs + "/other")
    let steps = try String(contentsOfFile: runs + "/r/evidence/a/story.jsonl", encoding: .utf8)
    try folder.write(
      steps.replacingOccurrences(of: "WHERE id = 9", with: "WHERE state = 'late'"),
      to: "test-artifacts/runs/other/evidence/a/story.jsonl")
    func compare(_ other: String) throws -> CommandResult {
      try ReporterProcess.run(
        ["diff", "--story", runs + "/r", runs + "/" + other, "testShip"], in: folder.path)
    }
    let result = try compare("other")
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.output.contains("WHERE id = 9") && result.output.contains("WHERE state = 'late'"))
    #expect(try compare("r").status == 0)
  }

  @Test func theDocumentIsMarkdown() throws {
    let result = try show("M.Store/testShip", "--format", "markdown")
    #expect(result.status == 0, "\(result.errors)")
    try Golden.expect(ReportFile(path: "test.md", text: result.output), in: "show")
  }

  private func document(_ arguments: String...) throws -> [String: Any] {
    let result = try ReporterProcess.run(["show", "testShip", "--json"] + arguments, in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.filter { $0 == "\n" }.count == 1 && !result.output.contains("\u{1B}"))
    return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  @Test func programsGetItAsJSON() throws {
    let shown = try document()
    let test = try #require(shown["test"] as? [String: Any])
    #expect(test["id"] as? String == "M.Store/testShip" && test["outcome"] as? String == "failed")
    let steps = try #require((test["story"] as? [String: Any])?["steps"] as? [[String: Any]])
    #expect(steps.compactMap { $0["number"] as? Int } == [1, 2, 3, 4, 5])
    #expect((shown["telling"] as? [Int])?.first == 5)
    let last = try #require(shown["last"] as? [[String: Any]])
    #expect(last.map { $0["kind"] as? String } == ["wrote", "read"])
    #expect(last[0]["changes"] as? String == "1 row of orders changed in state only")
    let source = try #require((shown["sources"] as? [[String: Any]])?.first)
    #expect(source["file"] as? String == "Tests/A.swift" && source["markedLine"] as? Int == 5)
    let schema = try #require(shown["schema"] as? [[String: String]])
    #expect(schema.map { $0["sql"]?.prefix(19) } == ["CREATE TABLE orders"])
    #expect(shown["states"] is NSNull && shown["failing"] is NSNull)
  }

  @Test func theJSONTellsATestAsTheReportDoes() throws {
    let report = try ReporterProcess.run(["report"], in: folder.path)
    #expect(report.status == 0, "\(report.errors)")
    let text = try folder.read("test-artifacts/report/report.json")
    let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    var told = try #require(
      (json?["tests"] as? [[String: Any]])?.first { $0["name"] as? String == "testShip" })
    var test = try #require(try document()["test"] as? [String: Any])
    #expect(test["page"] is NSNull && told["page"] is String)
    (told["page"], test["page"]) = (nil, nil)
    #expect(NSDictionary(dictionary: told) == NSDictionary(dictionary: test))
  }

  @Test func theJSONHasAStepsTablesAndARowsPast() throws {
    func database(_ shown: [String: Any]) throws -> [String: Any] {
      let states = try #require(shown["states"] as? [String: Any])
      return try #require((states["databases"] as? [[String: Any]])?.first)
    }
    let tables = try #require(try database(document("--step", "2"))["tables"] as? [[String: Any]])
    let row = try #require((tables.first?["rows"] as? [[String: Any]])?.first)
    #expect(tables.first?["name"] as? String == "orders" && row["operation"] as? String == "update")
    #expect((row["old"] as? [Any])?[1] as? String == "new" && row["key"] as? [Int] == [7])
    let past = try #require(try database(document("--row", "orders:7"))["past"] as? [String: Any])
    #expect(past["origin"] as? String == "The row was there before step 1, the first that is told.")
    #expect((past["entries"] as? [[String: Any]])?.first?["step"] as? Int == 2)
  }

  @Test func withoutRowsTheJSONHasNoValues() throws {
    for question in [[], ["--step", "2"], ["--row", "orders:7"]] {
      let arguments = ["show", "testShip", "--json", "--no-rows"] + question
      let output = try ReporterProcess.run(arguments, in: folder.path).output
      #expect(output.contains("orders") && !output.contains("paid") && !output.contains("'new'"))
      #expect(!output.contains("\"new\",") && !output.contains("\"paid"))
    }
  }

  @Test func nothingOfItsFoldersIsLeft() throws {
    _ = try show("testShip")
    #expect(!folder.files.contains { $0.hasPrefix("test-artifacts/report") })
  }

  @Test func aTestIsFoundByAPartOfItsName() throws {
    #expect(try show("PAY").output.contains("testPay"))
  }

  @Test func anExactNameWinsOverLongerOnes() throws {
    #expect(try show("testShip").output.contains("Failed: testShip\n"))
  }

  @Test func ofSeveralTestsTheNamesAreListed() throws {
    let result = try show("refund")
    #expect(result.status == 64 && result.output == "")
    #expect(result.errors.contains("2 tests have refund in their name"))
    #expect(
      result.errors.contains("M.Store/testRefund\n") && result.errors.contains("M.Store/testRefundTwice\n"))
  }

  @Test func ofSeveralTestsTheOnlyOneThatFailedIsMeant() throws {
    let result = try show("ship")
    #expect(result.status == 0 && result.output.contains("Failed: testShip\n"), "\(result.errors)")
  }

  /// With points, as Swift writes it, with its module or without, whatever its case.
  @Test(arguments: [
    "Store.testRefund", "M.Store.testRefund", "Store/testRefund", "store.testrefund", "testrefund",
  ])
  func aNameWithItsSuiteIsNoPartOfALongerOne(name: String) throws {
    let result = try show(name)
    #expect(result.status == 0 && result.output.contains("Passed: testRefund\n"), "\(result.errors)")
  }

  @Test(arguments: [
    ("Orders.total", "App.Orders/total()"), ("App/Orders/total", "App.Orders/total()"),
    ("total()", "App.Orders/total()"), ("Orders.totalOf(_:)", "App.Orders/totalOf(_:)"),
    ("ders.totalO", "App.Orders/totalOf(_:)"),
  ])
  func namesOfSwiftTestingAreFoundAlike(name: String, id: String) throws {
    let tests = ["total()", "totalOf(_:)"].map { TestCaseID(module: "App", suite: ["Orders"], name: $0) }
    let chosen = try chosenTest(name, among: tests) {
      TestNames(
        id: $0.description, module: $0.module, suite: $0.suite, name: $0.name, outcome: "passed")
    }
    #expect(chosen.description == id)
  }

  @Test func aNameOfNoTestNamesTheFailedOnes() throws {
    let result = try show("nothing")
    #expect(result.status == 64)
    #expect(
      result.errors.contains("No test is called nothing.") && result.errors.contains("✗ M.Store/testShip\n"))
  }

  @Test func withoutInputThereIsNothingToShow() throws {
    #expect(try show("testShip", "missing").status == 66)
    #expect(try show("testShip", "--run", "missing").status == 66)
  }

  @Test func wrongOptionsAreUsageErrors() throws {
    #expect(try show("testShip", "--max-bytes", "10").status == 64)
    #expect(try show("testShip", "--format", "html").status == 64)
    #expect(try show("testShip", "--json", "--format", "markdown").status == 64)
    #expect(try show("nothing", "--json").status == 64)
    #expect(try show("testPay", "--json", "--step", "1").status == 64)
    #expect(try show().status == 64)
  }

  @Test func controlCharactersOfTestsDoNotReachTheTerminal() throws {
    for format in ["terminal", "markdown"] {
      #expect(try !show("testShip", "--format", format).output.contains("\u{1B}"))
    }
  }

  @Test func withoutRowsNoValueIsShown() throws {
    let output = try show("testShip", "--no-rows").output
    #expect(!output.contains("paid") && output.contains("1 row of orders changed in state only"))
  }

  @Test func tablesAreShownAsTheyWereAfterAStep() throws {
    let before = try show("testShip", "--step", "1")
    #expect(before.status == 0, "\(before.errors)")
    #expect(before.output.contains("Its tables after step 1\n") && before.output.contains("state 'new'"))
    let after = try show("testShip", "--step", "2").output
    #expect(after.contains("  orders: 1 row changed by the step\n"))
    #expect(after.contains("    ~ id 7, state 'new' → 'paid") && !after.contains("\u{1B}"))
  }

  @Test(arguments: [
    (
      ["testShip", "--step", "999999"],
      "M.Store/testShip: The story has no step 999999; its steps are 1 to 5."
    ),
    (["testPay", "--step", "1"], "M.Store/testPay: No steps of the test were recorded."),
    (
      ["testShip", "--row", "nothing:7"],
      "M.Store/testShip: No captured database has a table nothing; there are orders, other."
    ),
    (
      ["testShip", "--row", "orders:8"],
      "M.Store/testShip: No row 8 of orders is known: no step wrote one, and there was none."
    ),
  ])
  func whatIsNotThereIsAnError(arguments: [String], words: String) throws {
    let result = try ReporterProcess.run(["show"] + arguments, in: folder.path)
    #expect(result.status == 64 && result.output == "")
    #expect(result.errors == "reporter: \(words)\n")
    #expect(try show("testShip", "--step", "0").status == 0)
  }

  @Test func aRowIsShownWithItsPast() throws {
    let output = try show("testShip", "--row", "orders:7", "--format", "markdown").output
    #expect(output.contains("~ step 2 updated it: id 7, state 'new' → 'paid"))
    #expect(output.contains("The row was there before step 1, the first that is told."))
  }

  @Test func withoutRowsStatesHaveNoValues() throws {
    let step = try show("testShip", "--step", "2", "--no-rows").output
    #expect(
      step.contains("orders: 1 row changed by the step") && !step.contains("paid") && !step.contains("new"))
    let row = try show("testShip", "--row", "orders:7", "--no-rows").output
    #expect(row.contains("~ step 2 updated it\n") && !row.contains("paid") && !row.contains("'new'"))
  }

  @Test func wrongQuestionsAreUsageErrors() throws {
    #expect(try show("testShip", "--step", "-1").status == 64)
    #expect(try show("testShip", "--row", "orders").status == 64)
    #expect(try show("testShip", "--step", "1", "--row", "orders:7").status == 64)
  }

  @Test(.enabled(if: Terminal.isAvailable, "needs a terminal"))
  func onATerminalItHasColoursUnlessNoColorIsSet() throws {
    func onTerminal(_ environment: [String: String]) throws -> String {
      let command = "'\(try ReporterProcess.executable)' show testShip"
      return try ReporterProcess.command(
        Terminal.arguments(running: command), in: folder.path, environment: environment
      ).run().output
    }
    #expect(try onTerminal(["NO_COLOR": ""]).contains("\u{1B}[1;31m✗ Failed: testShip\u{1B}[0m"))
    #expect(try !onTerminal(["NO_COLOR": "1"]).contains("\u{1B}"))
  }

  @Test func theDocumentStaysBelowItsLimit() throws {
    var story = WrittenStory()
    for number in 1...2000 {
      // Another run of its statement found something.
      let asked = number == 3 ? 1 : number
      story.step(
        "SELECT \(asked) FROM t\(asked) WHERE \(String(repeating: "x", count: 200))",
        rows: number == 3 ? 0 : 1)
      story.step("PRAGMA p\(number)")
    }
    let test = TestResult(
      id: .store("a"), outcome: .failed,
      issues: [
        TestIssue(
          message: String(repeating: "no\n", count: 9000), location: nil, severity: .error, isKnown: false)
      ])
    var contents = ReportContents(
      report: Report(title: "", runs: [], tests: [test], faults: [], notices: []), nonce: "")
    contents.stories[test.id] = try story.story(failing: ["no"])
    for limit in [1000, 16_384, 50_000] {
      let text = ShownTest(test, contents).markdown(limit: limit)
      #expect(
        text.utf8.count <= limit && text.utf8.count > min(limit / 2, limit - 1000),
        "\(text.utf8.count) of \(limit)")
    }
    let text = ShownTest(test, contents).markdown(limit: 16_384)
    #expect(
      text.contains("! Step 5 returned no row: SELECT 1 FROM t1 ") && text.contains("4000  PRAGMA p2000")
        && text.contains("steps left out"))
  }
}
