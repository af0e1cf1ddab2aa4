import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

/// What of several runs, shards and labels is told: on pages, in the summary's lines and in report.json.
@Suite struct RunsAndLabelsTests {
  private static let id = TestCaseID(module: "M", suite: ["S"], name: "sorts")

  private let contents: ReportContents = {
    var passed = TestAttempt(outcome: .passed, run: RunID(name: "two"))
    passed.label = "bookworm"
    var test = TestResult(
      id: id, outcome: .failed, duration: 2,
      issues: [TestIssue(message: "not sorted", location: nil, severity: .error, isKnown: false)],
      attempts: [passed])
    test.labels = [
      LabelledOutcome(label: "swift-6.3-noble", outcome: .failed),
      LabelledOutcome(label: "bookworm", outcome: .passed),
    ]
    var runs = [
      Report.Run(name: "one", toolchain: "Swift 6.3", host: "a", label: "swift-6.3-noble"),
      Report.Run(name: "two", commit: "abcdef", host: "b", label: "bookworm"),
    ]
    for index in runs.indices {
      runs[index].shard = Shard(number: 2 - index, count: 2, split: "f00", tests: 1)
      runs[index].overview = RunOverview([test])
    }
    return ReportContents(
      report: Report(title: "T", runs: runs, tests: [test], faults: [], notices: []), nonce: "n")
  }()

  private func text(_ file: ReportFile?) throws -> String {
    String(decoding: try #require(file).contents, as: UTF8.self)
  }

  @Test func aTestThatFailsUnderOneLabelSaysSo() throws {
    let said = "fails on swift-6.3-noble, passes on bookworm"
    let files = try renderPages(contents, templates: TemplateLibrary())
    let page = try text(files.first { $0.path.hasPrefix("tests/") })
    #expect(page.contains("It \(said)."))
    #expect(page.contains("Run <bdi>two</bdi>, on <bdi>bookworm</bdi>"))
    #expect(try text(renderSummary(contents)).contains(prose(said)))
    #expect(ShownTest(contents.report.tests[0], contents).markdown(limit: 8192).contains(prose(said)))
    let json = try text(ReportDocument(contents).file())
    #expect(
      json.contains(
        #""labels":[{"label":"swift-6.3-noble","outcome":"failed"},{"label":"bookworm","outcome":"passed"}]"#)
    )
  }

  @Test func underLabelsThatAgreeNothingIsSaid() {
    var test = contents.report.tests[0]
    test.labels[1].outcome = .crashed
    #expect(test.labelsSentence == nil)
    test.labels[1].outcome = .skipped
    #expect(test.labelsSentence == nil)
    test.labels = (0..<8).map { LabelledOutcome(label: "l\($0)", outcome: $0 < 7 ? .failed : .passed) }
    #expect(test.labelsSentence == "It fails on l0 and l1 and l2 and l3 and l4 and 2 others, passes on l7.")
  }

  @Test func theIndexHasARowForEachShard() throws {
    let index = try text(
      renderPages(contents, templates: TemplateLibrary()).first { $0.path == "index.html" })
    #expect(index.contains("<h2 id=\"overview\">2 shards</h2>"))
    let rows = index.components(separatedBy: "<th scope=\"row\">").dropFirst()
    #expect(rows.count == 2 && rows.first?.hasPrefix("<bdi>shard 1 of 2</bdi>") == true)
    #expect(rows.allSatisfy { $0.contains("M.S/sorts") && $0.contains("2.0 s") })
    let json = try text(ReportDocument(contents).file())
    #expect(
      json.contains(#""shard":2,"shards":2,"slowest":[{"duration":2.0,"id":"M.S/sorts"}],"split":"f00""#))
  }

  @Test func aMissingShardHasItsRow() throws {
    var contents = contents
    for index in contents.report.runs.indices { contents.report.runs[index].shard?.count = 4 }
    contents.report.missingShards = [
      MissingShard(number: 4, count: 4), MissingShard(number: 3, count: 4, tests: 1200),
    ]
    let index = try text(
      renderPages(contents, templates: TemplateLibrary()).first { $0.path == "index.html" })
    #expect(index.contains("<h2 id=\"overview\">2 of 4 shards</h2>"))
    let rows = Array(index.components(separatedBy: "<th scope=\"row\">").dropFirst())
    #expect(rows.count == 4 && rows[2].hasPrefix("<bdi>shard 3 of 4</bdi>"))
    #expect(
      rows[2].contains("<strong class=\"missing\">Missing</strong> its 1,200 tests are not in this report"))
    #expect(rows[3].contains("its tests are not in this report"))
    #expect(!rows[0].contains("Missing"))
  }

  @Test func theOneShardThatIsThereHasARowBesideTheMissingOnes() throws {
    var contents = contents
    contents.report.runs = [Report.Run(name: "one")]
    contents.report.missingShards = [MissingShard(count: 2)]
    let index = try text(
      renderPages(contents, templates: TemplateLibrary()).first { $0.path == "index.html" })
    #expect(
      index.contains("<h2 id=\"overview\">1 of 2 shards</h2>") && index.contains("<bdi>one of 2 shards</bdi>")
    )
  }

  /// The three durations of a run are named apart wherever they stand.
  @Test func theTimesOfARunAreNamedApart() throws {
    let tests = (0..<2).map { number in
      TestResult(
        id: TestCaseID(module: "M", suite: [], name: "t\(number)"), outcome: .passed, duration: 3,
        span: TestSpan(process: "p", start: 1100 + Double(number)))
    }
    func index(start: Double) throws -> String {
      let run = Report.Run(name: "one", start: start)
      let contents = ReportContents(
        report: Report(title: "T", runs: [run], tests: tests, faults: [], notices: []), nonce: "n")
      return try text(renderPages(contents, templates: TemplateLibrary()).first { $0.path == "index.html" })
    }
    let built = try index(start: 1000)
    #expect(built.contains("without building\">4.0 s from first to last</span>"), "on the bar")
    #expect(built.contains("<span>4.0 s from the first test to the last</span>"))
    #expect(built.contains("<span>6.0 s when the times of all tests are added</span>"))
    #expect(built.contains("<span>1 min 44 s with building, from the start of the run</span>"))
    #expect(!(try index(start: 1099.9)).contains("with building, from"))
  }

  @Test func anOverviewHasTheSlowestTests() {
    var tests: [TestResult] = []
    for number in 0..<9 {
      let id = TestCaseID(module: "M", suite: [], name: String(number))
      let span = TestSpan(process: "p", start: 100 + Double(number))
      tests.append(
        TestResult(
          id: id, outcome: number == 4 ? .crashed : .passed, duration: Double(number * 7 % 9), span: span))
    }
    let overview = RunOverview(tests)
    #expect(overview.tests == 9 && overview.failures == 1 && overview.duration == 36)
    #expect(overview.slowest.map(\.duration) == [8, 7, 6])
    let ends = (0..<9).map { number in Double(number) + Double(number * 7 % 9) }
    #expect(overview.wallTime == ends.max())
  }
}
