import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

/// A run with a story, from its log to report.json.
@Suite struct StoryReportTests {
  private func report(
    _ arguments: [String] = []
  ) throws -> (run: WrittenRun, story: [String: Any], json: String) {
    var run = try WrittenRun(message: "m")
    try run.story { story in
      story.step("CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT)")
      story.baseline()
      for key in 1...4 { story.insert("orders", key, "[\(key),\"Narvik\"]") }
      story.step("DELETE FROM orders WHERE id = 90", changed: 0)
    }
    let rows = (1...4).map { "INSERT INTO orders VALUES (\($0), 'Narvik');" }.joined()
    try run.database("CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT);" + rows)
    try run.report(arguments)
    let text = try run.folder.read("out/report.json")
    let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let test = try #require((json?["tests"] as? [[String: Any]])?.first)
    #expect((json?["notices"] as? [Any])?.count == 0)
    return (run, try #require(test["story"] as? [String: Any]), text)
  }

  @Test func theStepsAreInTheReport() throws {
    let (_, story, _) = try report()
    #expect(story["source"] as? String == "trace" && story["changes"] as? String == "+4 orders")
    let steps = try #require(story["steps"] as? [[String: Any]])
    #expect(steps.map { $0["part"] as? String } == ["setUp", "test", "test"])
    #expect(steps.map { $0["times"] as? Int } == [1, 4, 1] && steps[1]["changed"] as? Int == 4)
    #expect(steps[2]["marks"] as? [String] == ["changedNothing"])
    let change = try #require((steps[1]["changes"] as? [[String: Any]])?.first)
    let new = try #require(change["new"] as? [Any])
    #expect(new.count == 2 && new[0] as? Int == 1 && new[1] as? String == "Narvik")
    #expect((change["old"] as? [Any])?.isEmpty == true)
  }

  @Test func withoutRowsTheReportHasNoValues() throws {
    let (_, story, json) = try report(["--no-rows"])
    #expect(story["changes"] as? String == "+4 orders" && !json.contains("Narvik"))
    let steps = try #require(story["steps"] as? [[String: Any]])
    #expect(steps.last?["sql"] as? String == "DELETE FROM orders WHERE id = ?")
  }

  @Test func whatIsAsPublicAsTheRepositoryHasNoValues() throws {
    let run = try report(["--annotations", "gitlab"]).run
    for file in ["summary.md", "comment.md", "codequality.json"] {
      let text = try run.folder.read("out/\(file)")
      #expect(!text.contains("Narvik"), "\(file)")
      #expect(text.contains("+4 orders") || file == "codequality.json", "\(file)")
    }
  }

  @Test func onlyWithRowsTheDatabaseCanBeAskedInSQL() throws {
    func filesForSQL(_ arguments: [String] = []) throws -> [String] {
      let folder = try report(arguments).run.folder
      return try folder.files.filter { file in
        if file == "out/viewer.js" || file.hasPrefix("out/data/pages/") { return true }
        return try file.hasSuffix(".html") && folder.read(file).contains("wasm-unsafe-eval")
      }
    }
    let files = try filesForSQL()
    // The index has the page of the first failure in it.
    #expect(files.count == 4 && files.contains { $0.hasPrefix("out/tests/") }, "\(files)")
    #expect(files.contains("out/index.html"))
    #expect(try filesForSQL(["--no-rows"]) == [])
  }

  @Test func aLongStoryIsCutToItsLastSteps() throws {
    var written = WrittenStory()
    for key in 1...300 { written.step("SELECT \(key) FROM orders", rows: 1) }
    written.issue(0)
    let test = TestResult(id: WrittenRun.test, outcome: .failed)
    let report = Report(title: "", runs: [], tests: [test], faults: [], notices: [])
    let file = ReportDocument(report, stories: [test.id: try written.story()]).file()
    let json = try JSONSerialization.jsonObject(with: Data(file.contents)) as? [String: Any]
    let story = try #require((json?["tests"] as? [[String: Any]])?.first?["story"] as? [String: Any])
    let numbers = (story["steps"] as? [[String: Any]])?.map { $0["number"] as? Int }
    #expect(numbers == (101...300).map { $0 } && story["omitted"] as? Int == 100)
  }
}
