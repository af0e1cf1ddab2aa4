import Collector
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// The comparison with a pass on the page of a failed test, and what its attempts left alike.
@Suite struct ComparisonPartTests {
  private func page(
    _ test: TestResult, _ change: (inout ReportContents) throws -> Void
  ) throws -> String {
    var contents = ReportContents(
      report: Report(title: "", runs: [], tests: [test], faults: [], notices: []), nonce: "n")
    try change(&contents)
    let file = try #require(
      try renderPages(contents, templates: TemplateLibrary()).first { $0.path.hasPrefix("tests/") })
    return String(decoding: file.contents, as: UTF8.self)
  }

  private func failed(evidence: [TestEvidence] = []) -> TestResult {
    TestResult(
      id: .store("a"), outcome: .failed,
      issues: [TestIssue(message: "no", location: nil, severity: .error, isKnown: false)], evidence: evidence)
  }

  private func expectOrder(_ texts: [String], in page: String) {
    var rest = page[...]
    for text in texts {
      guard let found = rest.firstRange(of: text) else {
        Issue.record("\(text) does not follow")
        return
      }
      rest = rest[found.upperBound...]
    }
  }

  /// The page of a test of which one statement was another one when it passed.
  private func compared(_ now: String, _ then: String, isRewritten: Bool) throws -> String {
    var written = WrittenStory()
    written.step(now, changed: 2)
    written.step(now, changed: 2)
    written.issue(0)
    var story = try written.story(failing: ["no"], schemas: [.shop])
    let commit = ComparedCommit(
      name: "HEAD~1", hash: String(repeating: "a", count: 40), subject: "Before", date: 1, changes: [])
    var comparison = PassComparison(origin: .commit(commit))
    var row = PassComparison.Row(
      failed: .init(number: 1, statement: now, place: nil),
      passed: .init(number: 1, statement: then, place: nil),
      words: [.text("the whole sentence")],
      related: RelatedRows(
        table: StoryTable(database: 0, name: "orders"), title: "orders: written then and now",
        columns: ["id"],
        rows: [[.integer(77)]]))
    if isRewritten { row.wordsBesideTexts = [.text("the short sentence")] }
    comparison.rows = [row]
    (comparison.first, comparison.different) = (0, 1)
    comparison.changes = [
      ChangedLines(
        path: "Store.swift", oldStart: 3, oldCount: 1, newStart: 3, newCount: 1,
        lines: ["-old code", "+new code"])
    ]
    story.comparison = comparison
    let page = try page(failed()) { $0.stories[.store("a")] = story }
    // Its Markdown for an issue stands elsewhere on the page.
    return String(
      try #require(
        page.split(separator: "<section class=\"pass\"").last?.split(separator: "</section>").first))
  }

  @Test func theDifferenceOfTheStatementAndTheCodeStandFirst() throws {
    let page = try compared(
      "UPDATE orders SET paid = 1 WHERE person = 2",
      "UPDATE orders SET paid = 1 WHERE person = 2 AND tab = 1",
      isRewritten: true)
    expectOrder(
      [
        "What was different when it passed", "<ol class=\"passed\">", "class=\"line removed\"",
        "UPDATE orders SET paid = 1 WHERE person = 2<del> AND tab = 1</del>", "when it passed",
        "class=\"line added\"",
        "this run", "Store.swift", "<ins>+new code", "the short sentence", "This run: ",
        "When it passed: step 1",
        "orders: written then and now", "77",
      ], in: page)
    #expect(!page.contains("the whole sentence"))
    #expect(page.split(separator: "Store.swift", omittingEmptySubsequences: false).count == 2)
  }

  @Test func aStatementThatIsTheSameStandsOnce() throws {
    let sql = "SELECT count(*) FROM orders WHERE state = 'unmistakable'"
    let page = try compared(sql, sql, isRewritten: false)
    #expect(page.split(separator: "unmistakable", omittingEmptySubsequences: false).count == 2)
    #expect(page.contains("the whole sentence"))
  }

  @Test func attemptsThatLeftTheSameShareASection() throws {
    let folder = try TemporaryFolder()
    let schema =
      "CREATE TABLE share (id INTEGER PRIMARY KEY, amount INTEGER); INSERT INTO share VALUES (1, 5);"
    for name in ["a", "b", "c"] { _ = try folder.database("\(name).sqlite", schema) }
    _ = try folder.database("d.sqlite", schema + "INSERT INTO share VALUES (2, 6);")
    let evidence = ["a", "b", "c", "d"].map { name in
      TestEvidence(
        kind: .database, name: "tabs.sqlite", path: "\(name).sqlite", bytes: 1,
        source: "/tmp/\(name)/tabs.sqlite",
        run: RunID(name: "run-\(name)"))
    }
    let page = try page(failed(evidence: evidence)) { contents in
      for path in evidence.compactMap(\.path) {
        contents.databases[path] = inspectDatabase(at: folder(path), rows: true)
      }
      let pairs = DatabaseDifference.pairs(of: evidence, contents.databases)
      #expect(pairs.map(\.earlier) == [0, 0, 0] && pairs.map(\.later) == [1, 2, 3])
      for (later, earlier) in pairs {
        let (path, other) = (try #require(evidence[later].path), try #require(evidence[earlier].path))
        contents.differences[path] = DatabaseDifference(
          other: other, changes: compareDatabases(folder(path), since: folder(other), rows: true))
      }
    }
    #expect(page.split(separator: "<article class=\"evidence\"", omittingEmptySubsequences: false).count == 3)
    #expect(page.contains("2 other attempts left the same schema and rows:"))
    for run in ["run-b", "run-c"] { #expect(page.contains("<bdi>\(run)</bdi></a>")) }
    // What is different is shown as that.
    #expect(page.contains("tabs.sqlite of run run-a"))
  }
}
