import Collector
import Foundation
import Testing

@testable import Reporter

/// A run with a story, from its log to report.json.
@Suite struct StoryReportTests {
  private let folder: TemporaryFolder
  private static let run = "artifacts/runs/r"
  private static let test = TestCaseID.store("testShip")

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "{\"format\":\"1.1\",\"run\":\"r\",\"start\":1,\"package\":\"\(folder.path)\"}",
      to: "\(Self.run)/run.json")
  }

  private func story(_ arguments: String...) throws -> (story: [String: Any], json: String) {
    var written = WrittenStory(path: folder.path + "/shop.sqlite")
    written.step("CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT)")
    written.baseline()
    for key in 1...4 { written.insert("orders", key, "[\(key),\"Narvik\"]") }
    written.step("DELETE FROM orders WHERE id = 90", changed: 0)
    written.issue(0)
    written.end()
    try folder.write(written.bytes, to: "\(Self.run)/evidence/t/story.jsonl")
    let rows = (1...4).map { "INSERT INTO orders VALUES (\($0), 'Narvik');" }.joined()
    try folder.database("shop.sqlite", "CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT);" + rows)
    try folder.write(
      try Data(contentsOf: URL(fileURLWithPath: folder.path + "/shop.sqlite")),
      to: "\(Self.run)/evidence/t/shop.sqlite")
    var log = try WrittenLog()
    try log.start(Self.test)
    try log.fail(Self.test, "m")
    try log.add(
      Self.test,
      CapturedEvidence(
        kind: .database, name: "shop.sqlite", path: "evidence/t/shop.sqlite", bytes: 8192,
        source: folder.path + "/shop.sqlite",
        database: DatabaseCapture(method: .immutable, wal: .absent, databaseBytes: 8192, walBytes: 0)))
    try log.add(
      Self.test,
      CapturedEvidence(
        kind: .story, name: "story.jsonl", path: "evidence/t/story.jsonl", bytes: written.bytes.count))
    try log.finish(Self.test, .failed)
    try log.end()
    try folder.write(log.bytes, to: "\(Self.run)/logs/7-70.jsonl")
    let result = try ReporterProcess.run(
      ["report", "artifacts", "--output", "out"] + arguments, in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    let text = try folder.read("out/report.json")
    let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let test = try #require((json?["tests"] as? [[String: Any]])?.first)
    #expect((json?["notices"] as? [Any])?.count == 0)
    return (try #require(test["story"] as? [String: Any]), text)
  }

  @Test func theStepsAreInTheReport() throws {
    let (story, _) = try story()
    #expect(story["source"] as? String == "trace" && story["changes"] as? String == "+4 orders")
    let steps = try #require(story["steps"] as? [[String: Any]])
    #expect(steps.map { $0["part"] as? String } == ["setUp", "test", "test"])
    #expect(steps.map { $0["times"] as? Int } == [1, 4, 1] && steps[1]["changed"] as? Int == 4)
    #expect(steps[2]["marks"] as? [String] == ["changedNothing"])
    let change = try #require((steps[1]["changes"] as? [[String: Any]])?.first)
    #expect(change["new"] as? [String] == ["1", "Narvik"] && change["old"] as? [String] == [])
  }

  @Test func withoutRowsTheReportHasNoValues() throws {
    let (story, json) = try story("--no-rows")
    #expect(story["changes"] as? String == "+4 orders" && !json.contains("Narvik"))
    let steps = try #require(story["steps"] as? [[String: Any]])
    #expect(steps.last?["sql"] as? String == "DELETE FROM orders WHERE id = ?")
  }

  @Test func onlyWithRowsTheDatabaseCanBeAskedInSQL() throws {
    func isForSQL(_ file: String) throws -> Bool {
      if file == "out/viewer.js" || file.hasPrefix("out/data/pages/") { return true }
      return try file.hasSuffix(".html") && folder.read(file).contains("wasm-unsafe-eval")
    }
    _ = try story()
    let files = try folder.files.filter(isForSQL)
    // The index has the page of the first failure in it.
    #expect(files.count == 4 && files.contains { $0.hasPrefix("out/tests/") }, "\(files)")
    #expect(files.contains("out/index.html"))
    try FileManager.default.removeItem(atPath: folder("shop.sqlite"))
    _ = try story("--no-rows")
    #expect(try folder.files.filter(isForSQL) == [])
  }

  @Test func aLongStoryIsCutToItsLastSteps() throws {
    var written = WrittenStory()
    for key in 1...300 { written.step("SELECT \(key) FROM orders", rows: 1) }
    written.issue(0)
    let test = TestResult(id: Self.test, outcome: .failed)
    let report = Report(title: "", runs: [], tests: [test], faults: [], notices: [])
    let file = ReportDocument(report, stories: [Self.test: try written.story()]).file()
    let json = try JSONSerialization.jsonObject(with: Data(file.contents)) as? [String: Any]
    let story = try #require((json?["tests"] as? [[String: Any]])?.first?["story"] as? [String: Any])
    let numbers = (story["steps"] as? [[String: Any]])?.map { $0["number"] as? Int }
    #expect(numbers == (101...300).map { $0 } && story["omitted"] as? Int == 100)
  }
}
