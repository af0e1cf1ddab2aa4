import ArgumentParser
import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportPipeline
@testable import ReportReading
@testable import ReportRendering
@testable import ReportTestSupport
@testable import Reporter

/// Gates, annotations, the step summary and what the summary is told.
@Suite struct ContinuousIntegrationTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      <testsuite><testcase classname='M.S' name='a' file='Tests/A.swift' line='7'><failure message='50% &#10;::x'/>\
      </testcase><testcase classname='M.S' name='b' time='2'/></testsuite>
      """, to: "a.xml")
  }

  private func report(_ arguments: String..., environment: [String: String] = [:]) throws -> CommandResult {
    try ReporterProcess.run(
      ["report", "a.xml", "--output", "out"] + arguments, in: folder.path, environment: environment)
  }

  @Test func aBrokenRuleIsNamedAndEndsWith1() throws {
    #expect(try report().status == 0)
    let result = try report("--fail-on", "crashed,failed", "--max-duration", "1")
    #expect(result.status == 1)
    #expect(result.errors.contains("--fail-on failed: failed is M.S/a."))
    #expect(result.errors.contains("--max-duration 1.0: M.S/b took"))
    #expect(folder.files.contains("out/report.json"))
  }

  @Test(arguments: [
    ["--fail-on", "red"], ["--max-failures", "-1"], ["--max-duration", "nan"], ["--annotations", "jenkins"],
    ["--repository", "javascript:alert(1)"], ["--report-url", "javascript:alert(1)"],
  ])
  func aRuleThatMakesNoSenseIsAUsageError(arguments: [String]) throws {
    let result = try ReporterProcess.run(["report", "a.xml"] + arguments, in: folder.path)
    #expect(result.status == 64)
  }

  @Test func annotationsLeadToTheLineAndHoldNoSecondCommand() throws {
    let lines = try report("--annotations", "github").output.split(separator: "\n")
    #expect(
      lines.filter { $0.hasPrefix("::") } == [
        "::error file=Tests/A.swift,line=7,title=M.S/a failed::50%25 %0A::x"
      ])
  }

  @Test func annotationsAreOnWhereACIRunsIt() throws {
    func commands(_ result: CommandResult) -> Int {
      result.output.split(separator: "\n").count { $0.hasPrefix("::error ") }
    }
    let (github, gitlab) = (["GITHUB_ACTIONS": "true"], ["GITLAB_CI": "true"])
    #expect(try commands(report()) == 0 && !folder.files.contains("out/codequality.json"))
    #expect(try commands(report(environment: github)) == 1)
    #expect(try commands(report("--annotations", "none", environment: github)) == 0)
    #expect(try commands(report(environment: gitlab)) == 0)
    #expect(
      try folder.read("out/codequality.json").hasPrefix(
        #"[{"check_name":"test","description":"M.S/a: 50% ⏎::x","fingerprint":""#))
    #expect(try report("--annotations", "none", environment: gitlab).status == 0)
    #expect(!folder.files.contains("out/codequality.json"))
  }

  @Test func placesOfAPackageInAFolderOfTheCheckoutAreThoseOfTheRepository() throws {
    let environment = [
      "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": (folder.path as NSString).deletingLastPathComponent,
    ]
    let name = (folder.path as NSString).lastPathComponent
    let variables = [
      "GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "o/n", "GITHUB_SHA": "ab12",
    ]
    let result = try report(environment: environment.merging(variables) { $1 })
    #expect(result.output.contains("::error file=\(name)/Tests/A.swift,line=7,"))
    #expect(
      try folder.read("out/summary.md").contains(
        "(<https://github.com/o/n/blob/ab12/\(name)/Tests/A.swift#L7>)"))
  }

  @Test func theCommentLiesInTheReportAndNamesTheJob() throws {
    let variables = [
      "GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "o/n", "GITHUB_RUN_ID": "9",
    ]
    #expect(try report(environment: variables).status == 0)
    let comment = try folder.read("out/comment.md")
    #expect(comment.hasPrefix("<!-- exhibit report: ") && comment.contains("### ✗ 1 of 2 tests failed\n"))
    #expect(
      comment.contains("in the report that [this job](<https://github.com/o/n/actions/runs/9>) has made; "))
  }

  @Test func theMostUsefulTenAreAnnotated() {
    func failure(_ number: Int, _ message: String, _ outcome: Outcome = .failed) -> TestResult {
      var test = TestResult(id: .store("t\(number)"), outcome: outcome)
      test.issues = [TestIssue(message: message, location: nil, severity: .error, isKnown: false)]
      return test
    }
    let same = (0..<20).map { failure($0, "same \($0)") }
    let tests = same + [failure(20, "other"), failure(21, "worst", .crashed)]
    let report = Report(title: "", runs: [], tests: tests, faults: [], notices: [])
    let contents = ReportContents(report: report, nonce: "n")
    let lines = Annotations(PageContext(contents)).commands
    #expect(lines.count == 10)
    #expect(lines.prefix(3).map { $0.suffix(6) } == [":worst", "same 0", ":other"])
  }

  @Test func theSummaryIsAppendedOnce() throws {
    let path = try folder.write("before\n", to: "step.md")
    let environment = ["GITHUB_STEP_SUMMARY": path]
    #expect(try report("--no-step-summary", environment: environment).status == 0)
    #expect(try folder.read("step.md") == "before\n")
    for _ in 1...2 {
      #expect(try report(environment: environment).status == 0)
      #expect(try folder.read("step.md") == "before\n\n" + folder.read("out/summary.md"))
    }
  }

  @Test func aSummaryThatGitHubWouldDropIsNotAppended() throws {
    let path = try folder.write(String(repeating: "x", count: StepSummary.limit - 10), to: "step.md")
    let result = try report(environment: ["GITHUB_STEP_SUMMARY": path])
    #expect(result.status == 0)
    #expect(result.errors.contains("does not fit"))
    #expect(try folder.read("step.md").utf8.count == StepSummary.limit - 10)
  }

  @Test func aBaselineThatCannotBeReadIsAFault() throws {
    #expect(try report("--baseline", "missing.json").status == 3)
    try folder.write("{\"format\":\"2.0\",\"tests\":7}", to: "newer.json")
    let result = try report("--baseline", "newer.json")
    #expect(result.status == 3)
    #expect(result.errors.contains("newer.json: The baseline cannot be read. Format 2.0 is newer than 1.0"))
  }

  @Test func aReportIsABaseline() throws {
    #expect(try report().status == 0)
    let baseline = try Baseline(path: folder.path + "/out/report.json")
    #expect(baseline.tests["M.S/a"]?.outcome == .failed)
    #expect(baseline.tests["M.S/b"] == Baseline.Test(outcome: .passed, duration: 2))
    #expect(try report("--baseline", "out/report.json").status == 0)
  }

  @Test(arguments: [
    ("owner/name", "https://github.com/owner/name"), ("https://x.org/a/b.git", "https://x.org/a/b"),
    ("git@gitlab.com:g/sub/p.git", "https://gitlab.com/g/sub/p"), ("http://h:8080/r/", "http://h:8080/r"),
  ])
  func repositoriesAreKnownInEveryForm(text: String, url: String) {
    #expect(Repository(text, commit: "abc123")?.url == url)
    #expect(Repository(text, commit: "main)](x")?.commit == nil)
  }

  @Test(arguments: ["", "name", "a b/c", "javascript:x", "https://x/\"><script>", "file:///etc/passwd"])
  func whatIsNoRepositoryIsNone(text: String) {
    #expect(Repository(text, commit: nil) == nil)
  }

  @Test func theCISaysWhatTheOptionsDoNot() throws {
    var remarks = Remarks()
    let variables = [
      "GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "o/n", "GITHUB_SHA": "ab12",
    ]
    let options = try CIOptions.parse(["--summary-limit", "5000", "--report-url", "https://x/r//"])
    let summary = options.summary(runs: [], &remarks) { variables[$0] }
    #expect(summary.repository == Repository("o/n", commit: "ab12"))
    #expect(summary.limit == 5000)
    #expect(summary.reportURL == "https://x/r")
    let chosen = try CIOptions.parse(["--repository", "p/q", "--commit", "cd34"])
    #expect(
      chosen.summary(runs: [], &remarks) { variables[$0] }.repository == Repository("p/q", commit: "cd34"))
  }
}
