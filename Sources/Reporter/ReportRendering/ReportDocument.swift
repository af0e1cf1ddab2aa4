import Collector
import ReportModel
import ReportStory

/// report.json: all keys present and sorted, one test per line.
package struct ReportDocument {
  private let contents: ReportContents
  private let names: PageNames

  package init(_ contents: ReportContents, names: PageNames? = nil) {
    self.contents = contents
    self.names = names ?? PageNames(of: contents.report.tests)
  }

  private var report: Report { contents.report }

  /// Writes in pieces to limit memory.
  package func write(_ take: ([UInt8]) throws -> Void) rethrows {
    var json = JSONText(.document)
    writeHead(&json)
    json.open("tests", UInt8(ascii: "["))
    for index in report.tests.indices {
      json.startLine()
      let test = report.tests[index]
      json.write(nil, test, contents, page: names.address(of: test))
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
        json.key(outcome.rawValue)
        json.element(counts[outcome])
      }
    }
    json.member("degraded", report.isDegraded)
    json.lines("faults", report.faults) { $0.write($1) }
    json.member("flaky", counts.flaky)
    json.member("format", Report.format)
    json.lines("notices", report.notices) { $0.write($1) }
    json.member("outcome", counts.failures > 0 || counts.total == 0 ? "failed" : "passed")
    json.lines("runs", report.runs) { $0.write($1) }
  }
}

extension JSONText {
  mutating func write(_ remark: Remark) {
    member("input", remark.input)
    member("kind", remark.kind)
    member("message", remark.message)
  }

  fileprivate mutating func write(_ run: Report.Run) {
    let overview = run.overview
    member("branch", run.branch)
    member("commit", run.commit)
    member("dirty", run.isDirty)
    member("duration", overview?.duration)
    member("failures", overview?.failures)
    member("host", run.host)
    member("label", run.machines)
    member("link", run.link)
    member("name", run.name)
    member("shard", run.shard?.number)
    member("shards", run.shard?.count)
    objects("slowest", overview?.slowest ?? []) { json, slowest in
      json.member("duration", slowest.duration)
      json.member("id", slowest.test.description)
    }
    member("split", run.shard?.split)
    member("start", run.start)
    member("tests", overview?.tests)
    member("toolchain", run.toolchain)
    member("wallTime", overview?.wallTime)
  }

  /// - Parameters:
  ///   - page: Its page, if any.
  ///   - steps: The last steps to write.
  mutating func write(
    _ key: StaticString?, _ test: TestResult, _ contents: ReportContents, page: String?,
    steps: Int = StoryBudget.toldSteps
  ) {
    let found = TestFindings(test, contents)
    object(key) { json in
      json.member("argument", test.id.argument?.description)
      json.objects("attempts", test.attempts) { $0.write($1) }
      json.object("crash", of: test.crash) { json, crash in
        json.array("backtrace", crash.backtrace) { $0.element($1) }
        json.array("lastOutput", crash.lastLines) { $0.element($1) }
      }
      json.member("displayName", test.displayName)
      json.member("duration", test.duration)
      json.objects("evidence", test.evidence) { $0.write($1, contents) }
      json.member("file", test.location?.file)
      json.objects("findings", found.entries) { $0.write($1.finding, databases: found.paths(of: $1)) }
      json.member("flaky", test.isFlaky)
      json.member("framework", test.framework?.rawValue)
      json.object("history", of: contents.pasts.isEmpty ? nil : contents.pasts[test.id]) {
        $0.write($1, Array($1.shown))
      }
      json.member("id", test.id.description)
      json.objects("issues", test.issues) { $0.write($1) }
      json.objects("labels", test.labels) { json, labelled in
        json.member("label", labelled.label)
        json.member("outcome", labelled.outcome.rawValue)
      }
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

  private mutating func write(_ attempt: TestAttempt) {
    member("duration", attempt.duration)
    objects("issues", attempt.issues) { $0.write($1) }
    member("label", attempt.label)
    member("outcome", attempt.outcome.rawValue)
    member("run", attempt.run?.name)
  }

  private mutating func write(_ issue: TestIssue) {
    member("file", issue.location?.file)
    member("known", issue.isKnown)
    member("line", issue.location?.line)
    member("message", issue.message)
    member("placeOrigin", issue.location.map { _ in issue.placeOrigin.rawValue })
    member("severity", issue.severity.rawValue)
  }

  private mutating func write(_ evidence: TestEvidence, _ contents: ReportContents) {
    member("baseline", evidence.baseline.map(contents.finishedPath))
    member("bytes", evidence.bytes)
    member("kind", evidence.kind.rawValue)
    member("method", evidence.details.database?.method.rawValue)
    member("name", evidence.name)
    member("path", evidence.path)
    member("run", evidence.run?.name)
    member("uncommitted", evidence.details.database?.uncommitted)
    member("wal", evidence.details.database?.wal.rawValue)
  }
}
