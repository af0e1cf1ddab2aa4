import Collector
import ReportModel
import ReportStory

/// report.json, the report for programs: every key is present, keys are sorted, one test a line.
package struct ReportDocument {
  private let report: Report
  private let contents: ReportContents
  private let names: PageNames

  /// - Parameter contents: The report, what failed tests did to their databases, and what is suspicious in those.
  /// - Parameter names: Those of the tests' pages; `nil` where they are still to be found.
  package init(_ contents: ReportContents, names: PageNames? = nil) {
    report = contents.report
    self.contents = contents
    self.names = names ?? PageNames(of: contents.report.tests)
  }

  /// The file, piece by piece: it can be larger than what is to be held in memory.
  package func write(_ take: ([UInt8]) throws -> Void) rethrows {
    var json = JSONText(.document)
    writeHead(&json)
    json.open("tests", UInt8(ascii: "["))
    for index in report.tests.indices {
      json.startLine()
      json.write(nil, report.tests[index], contents, page: names.address(of: report.tests[index]))
      if json.count > 1 << 16 { try take(json.take()) }
    }
    json.endLine()
    json.close(UInt8(ascii: "]"))
    json.close(UInt8(ascii: "}"))
    json.endLine()
    try take(json.take())
  }

  private func writeHead(_ json: inout JSONText) {
    json.open(nil, UInt8(ascii: "{"))
    let counts = OutcomeCounts(report.tests)
    json.object("counts") { json in
      for outcome in Outcome.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
        json.member(outcome.key, counts[outcome])
      }
    }
    json.member("degraded", report.isDegraded)
    json.array("faults", report.faults) { json, remark in
      json.startLine()
      json.write(remark)
    }
    json.member("flaky", counts.flaky)
    json.member("format", Report.format)
    json.array("notices", report.notices) { json, remark in
      json.startLine()
      json.write(remark)
    }
    json.member("outcome", counts.failures > 0 || counts.total == 0 ? "failed" : "passed")
    json.array("runs", report.runs) { $0.write($1) }
  }
}

extension Outcome {
  fileprivate var key: StaticString {
    switch self {
    case .crashed: "crashed"
    case .failed: "failed"
    case .unfinished: "unfinished"
    case .knownIssue: "knownIssue"
    case .skipped: "skipped"
    case .passed: "passed"
    }
  }
}

extension JSONText {
  mutating func write(_ remark: Remark) {
    object { json in
      json.member("input", remark.input)
      json.member("kind", remark.kind)
      json.member("message", remark.message)
    }
  }

  fileprivate mutating func write(_ run: Report.Run) {
    startLine()
    let overview = run.overview
    object { json in
      json.member("branch", run.branch)
      json.member("commit", run.commit)
      json.member("dirty", run.isDirty)
      json.member("duration", overview?.duration)
      json.member("failures", overview?.failures)
      json.member("host", run.host)
      json.member("label", run.machines)
      json.member("link", run.link)
      json.member("name", run.name)
      json.member("shard", run.shard?.number)
      json.member("shards", run.shard?.count)
      json.array("slowest", overview?.slowest ?? []) { json, slowest in
        json.object { json in
          json.member("duration", slowest.duration)
          json.member("id", slowest.test.description)
        }
      }
      json.member("split", run.shard?.split)
      json.member("start", run.start)
      json.member("tests", overview?.tests)
      json.member("toolchain", run.toolchain)
      json.member("wallTime", overview?.wallTime)
    }
  }

  private mutating func write(_ labelled: LabelledOutcome) {
    object { json in
      json.member("label", labelled.label)
      json.member("outcome", labelled.outcome.rawValue)
    }
  }

  /// - Parameters:
  ///   - page: Its page in the report's folder, if it has one.
  ///   - steps: How many steps of its story are written, the last ones.
  mutating func write(
    _ key: StaticString?, _ test: TestResult, _ contents: ReportContents, page: String?,
    steps: Int = StoryBudget.toldSteps
  ) {
    let found = TestFindings(test, contents)
    object(key) { json in
      json.member("argument", test.id.argument?.description)
      json.array("attempts", test.attempts) { $0.write($1) }
      json.write(test.crash)
      json.member("displayName", test.displayName)
      json.member("duration", test.duration)
      json.array("evidence", test.evidence) { $0.write($1, contents) }
      json.member("file", test.location?.file)
      json.array("findings", found.entries) { $0.write($1.finding, databases: found.paths(of: $1)) }
      json.member("flaky", test.isFlaky)
      json.member("framework", test.framework?.rawValue)
      json.write(contents.pasts.isEmpty ? nil : contents.pasts[test.id])
      json.member("id", test.id.description)
      json.array("issues", test.issues) { $0.write($1) }
      json.array("labels", test.labels) { $0.write($1) }
      json.member("line", test.location?.line)
      json.member("module", test.id.module)
      json.member("name", test.id.name)
      json.member("outcome", test.outcome.rawValue)
      json.member("page", page)
      json.member("skipReason", test.skipReason)
      json.write(
        contents.stories.isEmpty ? nil : contents.stories[test.id], contents.sourceLines, steps: steps)
      json.array("suite", test.id.suite) { $0.element($1) }
      json.array("tags", test.tags) { $0.element($1) }
      json.array("unexamined", found.unexamined) { $0.element($1) }
    }
  }

  private mutating func write(_ crash: CrashOutput?) {
    guard let crash else { return member("crash", nil as String?) }
    object("crash") { json in
      json.array("backtrace", crash.backtrace) { $0.element($1) }
      json.array("lastOutput", crash.lastLines) { $0.element($1) }
    }
  }

  private mutating func write(_ attempt: TestAttempt) {
    object { json in
      json.member("duration", attempt.duration)
      json.array("issues", attempt.issues) { $0.write($1) }
      json.member("label", attempt.label)
      json.member("outcome", attempt.outcome.rawValue)
      json.member("run", attempt.run?.name)
    }
  }

  private mutating func write(_ issue: TestIssue) {
    object { json in
      json.member("file", issue.location?.file)
      json.member("known", issue.isKnown)
      json.member("line", issue.location?.line)
      json.member("message", issue.message)
      json.member("placeOrigin", issue.location.map { _ in issue.placeOrigin.rawValue })
      json.member("severity", issue.severity.rawValue)
    }
  }

  private mutating func write(_ evidence: TestEvidence, _ contents: ReportContents) {
    object { json in
      json.member("baseline", evidence.database?.baseline.map(contents.finishedPath))
      json.member("bytes", evidence.bytes)
      json.member("kind", evidence.kind.rawValue)
      json.member("method", evidence.database?.method.rawValue)
      json.member("name", evidence.name)
      json.member("path", evidence.path)
      json.member("run", evidence.run?.name)
      json.member("uncommitted", evidence.database?.uncommitted)
      json.member("wal", evidence.database?.wal.rawValue)
    }
  }
}
