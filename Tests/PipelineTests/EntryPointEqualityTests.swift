import Collector
import Foundation
import Testing

/// A test process whose entry point is ours says, and does, what the same one without Attach does.
@Suite struct EntryPointEqualityTests {
  private static let packages = (
    attached: FixturePackage.verdicts, plain: FixturePackage.verdictsWithoutAttach
  )
  private static let filter = ["--filter", "^PlainTests\\."]

  /// What one run said, without times.
  private struct Said: Equatable {
    var status: Int32
    var output: [String]
    var events: [String]
    var xunit: [String]
  }

  private func said(
    by package: FixturePackage, _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Said {
    let folder = try TemporaryFolder()
    let (stream, xunit) = (folder.path + "/events.jsonl", folder.path + "/tests.xml")
    let run = try await package.testDirectly(
      arguments + [
        "--event-stream-output-path", stream, "--event-stream-version", "6.3", "--xunit-output", xunit,
      ], environment: environment)
    return Said(
      status: run.status, output: Self.lines(run.output),
      events: Self.lines(try String(contentsOfFile: stream, encoding: .utf8)),
      // Swift Testing writes the tests there in no order.
      xunit: Self.lines(try String(contentsOfFile: xunit, encoding: .utf8)).sorted())
  }

  /// Lines without times, the numbers of processes, and ours.
  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").filter { !$0.hasPrefix("Exhibit: ") }.map { line in
      String(line).replacing(/[0-9.]+ (\([0-9.]+\) )?seconds/, with: "")
        .replacing(/at 20[0-9-]+ [0-9:.]+/, with: "").replacing(/"instant":\{[^}]*\}/, with: "")
        .replacing(/time="[0-9.e-]+"/, with: "")
    }
  }

  /// Those that do not say what a build did, or which other one was waited for.
  private static func ownLines(_ output: String) -> [String] {
    lines(output).filter { !$0.contains("Planning build") && !$0.contains("instance of SwiftPM") }
  }

  /// The environment is the user's: Swift Testing's experimental fields would change their event stream.
  @Test(arguments: [
    [], ["--repetitions", "2"], ["--skip", "OutcomeTests"],
    ["--repetitions", "3", "--repeat-until", "pass"], ["--repetitions", "3", "--repeat-until", "fail"],
  ])
  func oneByOneEveryLineAndEventIsTheSame(options: [String]) async throws {
    let arguments = ["--no-parallel"] + Self.filter + options
    let attached = try await said(by: Self.packages.attached, arguments)
    let plain = try await said(by: Self.packages.plain, arguments)
    #expect(attached.status == plain.status)
    #expect(attached.output == plain.output)
    #expect(attached.events == plain.events)
    #expect(attached.xunit == plain.xunit)
    #expect(attached.events.count > 80)
  }

  @Test func atOnceTheSameLinesComeInAnyOrder() async throws {
    let arguments = ["--parallel"] + Self.filter + ["--skip", "OutsideTests"]
    let attached = try await said(by: Self.packages.attached, arguments)
    let plain = try await said(by: Self.packages.plain, arguments)
    #expect(attached.status == plain.status)
    #expect(attached.output.sorted() == plain.output.sorted())
    #expect(attached.events.sorted() == plain.events.sorted())
    #expect(attached.xunit == plain.xunit)
  }

  /// Swift Testing's own lines are on standard error.
  @Test func standardOutputIsTheTestsOwn() async throws {
    let program = ["sh", "-c", "exec \"$@\" 2>/dev/null", "sh"]
    for package in [Self.packages.attached, Self.packages.plain] {
      let run = try await package.testDirectly(["--no-parallel"] + Self.filter, through: program)
      #expect(run.output == "on standard output\n")
    }
  }

  /// 1 where something fails, 0 where nothing does, 69 for no tests, also where all are skipped.
  @Test(arguments: [
    ("^PlainTests\\.", Int32(1)), ("OutcomeTests/passes", 0), ("OutcomeTests/(known|warned)\\(", 0),
    ("OutcomeTests/cancelled\\(", 0), ("OutcomeTests/disabled", 0), ("OutsideTests/detached", 1),
    ("CaseTests/hasNoCases", 0), ("CaseTests/argumentsThrow", 1), ("NoSuchTest", 69),
    ("VerdictXCTests.VerdictXCTests", 69), ("(", 1),
  ])
  func theExitCodeIsTheSame(filter: String, code: Int32) async throws {
    let attached = try await said(by: Self.packages.attached, ["--no-parallel", "--filter", filter])
    let plain = try await said(by: Self.packages.plain, ["--no-parallel", "--filter", filter])
    #expect(attached == plain)
    #expect(plain.status == code)
  }

  @Test func swiftTestMakesTheSameOfNoTests() async throws {
    let attached = try await Self.packages.attached.test(["--filter", "NoSuchTest"])
    let plain = try await Self.packages.plain.test(["--filter", "NoSuchTest"])
    #expect(attached.status == plain.status)
    #expect(Self.ownLines(attached.output) == Self.ownLines(plain.output))
    #expect(attached.logs.isEmpty)
  }

  @Test func testsAreListedTheSame() async throws {
    let attached = try await Self.packages.attached.list(environment: [:])
    let plain = try await Self.packages.plain.list(environment: [:])
    #expect(attached.status == plain.status)
    #expect(Self.ownLines(attached.output) == Self.ownLines(plain.output))
    #expect(attached.output.contains("PlainTests.free()"))
    for package in [Self.packages.attached, Self.packages.plain] {
      let direct = try await package.testDirectly(["--list-tests"])
      #expect(direct.status == 0 && direct.output.contains("PlainTests.free()"))
      #expect(direct.logs.isEmpty)
    }
  }

  @Test func everyRepetitionIsRecorded() async throws {
    let (once, run) = (try await PlainRun.serial.run(), try await PlainRun.repeated.run())
    for (test, outcome) in once.outcomes {
      #expect(run.records(of: test).filter { $0.isOf(TestStart.self) }.count == 3, "\(test)")
      let ends = run.records(of: test).compactMap { ($0.payload as? TestEnd)?.outcome }
      #expect(ends == [outcome, outcome, outcome], "\(test)")
    }
    #expect(Set(run.outcomes.keys) == Set(once.outcomes.keys))
    let expectation = run.evidence(of: "PlainTests.OutcomeTests/expectation()")
    let notes = "SELECT group_concat(text) FROM note"
    #expect(
      try expectation.map { try run.value(notes, in: $0) }
        == Array(repeating: "initial,expectation", count: 3))
  }

  @Test func withoutCaptureTestsAreRecordedAllTheSame() async throws {
    let usual = try await PlainRun.serial.run()
    let run = try await Self.packages.attached.testDirectly(
      ["--no-parallel"] + Self.filter, environment: ["EXHIBIT_CAPTURE": "off"])
    #expect(run.status == usual.status)
    #expect(run.records.allSatisfy { !$0.isOf(CapturedEvidence.self) })
    // A call outside any test is a mistake all the same.
    let failures = run.records.compactMap { ($0.payload as? CaptureFailure)?.reason }
    #expect(failures == [.outsideTest])
    #expect(run.logs.count == 1)
    // Without a trace cases are known from their issues alone, and equal ones are numbered as they are known.
    func isNumbered(_ test: String) -> Bool { test.contains("/described(") }
    for (test, outcome) in usual.outcomes where outcome == .failed && !isNumbered(test) {
      #expect(run.outcomes[test] == .failed, "\(test)")
    }
    for (test, outcome) in run.outcomes where usual.outcomes[test] != nil && !isNumbered(test) {
      #expect(outcome == usual.outcomes[test], "\(test)")
    }
    #expect(run.outcomes.filter { isNumbered($0.key) }.map(\.value) == [.failed, .failed])
    #expect(
      run.issuesByTest.filter { !isNumbered($0.key) } == usual.issuesByTest.filter { !isNumbered($0.key) })
  }

  @Test func withTheToolchainsEntryPointTheTraitWorksAlone() async throws {
    let usual = try await PlainRun.serial.run()
    let arguments = ["--no-parallel"] + Self.filter
    let run = try await Self.packages.attached.testDirectly(arguments, environment: ["EXHIBIT_ENTRY": "off"])
    #expect(run.status == usual.status)
    let traited = usual.outcomes.filter { $0.key.contains("/hasTheTrait") }
    #expect(traited.count == 4)
    #expect(run.outcomes == traited)
    for test in traited.keys {
      #expect(run.evidence(of: test).map(\.name) == usual.evidence(of: test).map(\.name), "\(test)")
      #expect(run.issues(of: test).count == usual.issues(of: test).count, "\(test)")
    }
    let off = try await said(by: Self.packages.attached, arguments, environment: ["EXHIBIT_ENTRY": "off"])
    let plain = try await said(by: Self.packages.plain, arguments)
    #expect(off.output == plain.output)
    #expect(off.status == plain.status)
  }
}

extension FixtureRun {
  /// The issues of every test that has some, in their order.
  fileprivate var issuesByTest: [String: [String]] {
    var issues: [String: [String]] = [:]
    for record in records {
      guard let issue = record.payload as? RecordedIssue else { continue }
      issues[record.test?.description ?? "", default: []].append(issue.message)
    }
    return issues
  }
}
