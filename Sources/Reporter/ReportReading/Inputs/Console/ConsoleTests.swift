import Collector
import ReportModel

/// Collects a console's tests.
///
/// Tests can print lines like their framework's, so a test's worst outcome counts.
struct ConsoleTests {
  let name: String
  private var tests: [ConsoleTest: PrintedTest] = [:]
  private var order: [ConsoleTest] = []
  private var processes: [TestFramework: Processes] = [:]
  private var issuesOutside: [IssueOutside] = []
  private var ran: [TestCaseID: [TestCaseID]] = [:]
  private var parallel = (announced: 0, found: 0)
  /// True while nothing follows the list of these tests.
  private var endsInList = false
  private var endedXCTests = false
  private var last = Last.nothing

  private struct Processes {
    var began = 0
    var ended = 0
    var announced = (tests: 0, issues: 0)
    var found = (tests: 0, issues: 0)
  }

  fileprivate struct PrintedTest {
    var begun = 0
    var ended = 0
    var end: TestEnd.Outcome?
    var seconds: Double?
    var reason: String?
    var issues: [TestIssue] = []
  }

  private enum Last: Equatable {
    case nothing
    case issue(ConsoleTest, lines: Int)
  }

  private static let mostLines = 50
  private static let mostIssues = 1000

  init(name: String) { self.name = name }

  mutating func add(_ event: ConsoleEvent?, _ line: ConsoleLine) {
    if case .issue(let test, let lines) = last, lines > 0 {
      switch event {
      case .detail(let text): return goOn(test, text, lines)
      // XCTest does not escape line feeds in quoted values.
      case nil where test.framework == .xctest && isOpen(test): return goOn(test, line.text, lines)
      default: break
      }
    }
    last = .nothing
    guard let event else { return }
    if case .ran = event { endsInList = true } else { endsInList = false }
    let wereAllEnded = endedXCTests
    endedXCTests = event == .endedXCTests
    switch event {
    case .began(let framework): processes[framework, default: Processes()].began += 1
    case .counts(let counts): if counts.framework == .swiftTesting || wereAllEnded { add(counts) }
    case .ran(let id, let count): addRan(id, of: count)
    case .started(let test): change(test) { $0.begun += 1 }
    case .ended(let test, let outcome, let seconds, let reason):
      change(test) { $0.finish(outcome, seconds, reason) }
    case .issue(let test, let issue): add(issue, of: test)
    case .skipReason(let test, let reason): change(test) { $0.reason = reason }
    case .endedXCTests, .detail: break
    }
  }

  private mutating func change(_ test: ConsoleTest, _ body: (inout PrintedTest) -> Void) {
    if tests[test] == nil { order.append(test) }
    body(&tests[test, default: PrintedTest()])
  }

  private mutating func add(_ issue: TestIssue, of test: ConsoleTest?) {
    processes[test?.framework ?? .swiftTesting, default: Processes()].found.issues += 1
    guard let test else {
      if issue.isFailure { issuesOutside.append(IssueOutside(issue: issue, input: name)) }
      return
    }
    let issues = tests[test]?.issues ?? []
    let isKept = issues.count < Self.mostIssues || issue.isFailure && !issues.contains(where: \.isFailure)
    change(test) { if isKept { $0.issues.append(issue) } }
    if isKept { last = .issue(test, lines: Self.mostLines) }
  }

  private mutating func goOn(_ test: ConsoleTest, _ text: String, _ lines: Int) {
    change(test) { printed in
      guard let index = printed.issues.indices.last else { return }
      printed.issues[index].message += "\n" + text
    }
    last = .issue(test, lines: lines - 1)
  }

  private func isOpen(_ test: ConsoleTest) -> Bool {
    tests[test]?.issues.last.map { $0.message.utf8.count { $0 == .quote } % 2 == 1 } ?? false
  }

  private mutating func addRan(_ id: TestCaseID, of count: Int) {
    parallel = (max(parallel.announced, count), parallel.found + 1)
    ran[id.withoutModule, default: []].append(id)
  }

  private mutating func add(_ counts: ConsoleCounts) {
    var all = processes[counts.framework, default: Processes()]
    all.ended += 1
    all.announced.tests = XUnitCounts.sum(all.announced.tests, max(0, counts.tests))
    all.announced.issues = XUnitCounts.sum(all.announced.issues, max(0, counts.issues))
    processes[counts.framework] = all
  }

  // MARK: - The end

  mutating func finish(hasDied: Bool) -> InputTests {
    var remarks = Remarks()
    for test in order {
      let printed = tests[test] ?? PrintedTest()
      processes[test.framework, default: Processes()].found.tests += max(printed.begun, printed.ended)
    }
    var losses = self.losses
    if hasDied, losses.isEmpty { losses = ["A process died; what it had not printed is missing."] }
    for loss in losses { remarks.fault(.consoleIncomplete, loss, input: name) }
    noteShared(&remarks)
    return InputTests(
      kind: .console, name: name, endedProperly: losses.isEmpty && !hasDied,
      observations: observations(hasDied: hasDied), issuesOutside: issuesOutside, remarks: remarks)
  }

  private func observations(hasDied: Bool) -> [Observation] {
    var unnamed = ran
    let open = order.count { tests[$0]?.isOpen == true }
    let openOutcome = OutcomeTable.ofOpenTest(among: open, hasEnded: !hasDied)
    var observations = order.map { test in
      var id = test.id
      if let known = ran[id], known.count == 1 {
        id = known[0]
        unnamed[test.id] = nil
      }
      return (tests[test] ?? PrintedTest()).observation(test, id, openOutcome)
    }
    // SwiftPM prints the output of failed tests after this list.
    let outcome = endsInList || parallel.found < parallel.announced ? Outcome.unfinished : .passed
    for id in Set(unnamed.values.joined()).sorted() {
      observations.append(Observation(id: id, framework: .xctest, outcome: outcome, duration: nil))
    }
    return observations
  }

  private var losses: [String] {
    var losses: [String] = []
    func compare(_ name: String, _ announced: Int, _ found: Int, _ word: String) {
      guard announced > found else { return }
      losses.append("\(name) announces \(counted(announced, word)), and \(grouped(found)) were found.")
    }
    for framework in TestFramework.allCases {
      guard let all = processes[framework] else { continue }
      let name = framework == .xctest ? "XCTest" : "Swift Testing"
      if all.began > all.ended {
        losses.append(
          "The last line of \(name) is missing: the file stops before its end, or a process died.")
      } else if all.began < all.ended || all.ended == 0 {
        losses.append("The first line of \(name) is missing: the beginning of the file is cut off.")
      }
      compare(name, all.announced.tests, all.found.tests, "test")
      compare(name, all.announced.issues, all.found.issues, "issue")
    }
    compare("SwiftPM", parallel.announced, parallel.found, "XCTest")
    if endsInList {
      losses.append("Nothing follows the list of XCTests, so that those that failed may be missing.")
    }
    return losses
  }

  private func noteShared(_ remarks: inout Remarks) {
    let shared = order.filter { tests[$0].map { max($0.begun, $0.ended) > 1 } ?? false }
    guard let first = shared.first else { return }
    let others = shared.count > 1 ? " and \(shared.count - 1) others" : ""
    remarks.notice(
      .repeatedTest,
      "\(first.id.name)\(others) stand there more than once, as tests of one name in several suites do; "
        + "the worst outcome is shown.", input: name)
  }
}

extension ConsoleTests.PrintedTest {
  fileprivate var isOpen: Bool { begun > ended }

  fileprivate mutating func finish(_ outcome: TestEnd.Outcome, _ seconds: Double?, _ reason: String?) {
    ended += 1
    if self.seconds == nil { self.seconds = seconds }
    if self.reason == nil { self.reason = reason }
    let severity: [TestEnd.Outcome] = [.failed, .skipped, .passed]
    let worst = severity.first { $0 == end || $0 == outcome }
    end = worst
  }

  fileprivate func observation(_ test: ConsoleTest, _ id: TestCaseID, _ openOutcome: Outcome) -> Observation {
    let outcome = OutcomeTable.ofLoggedEnd(end, issues: issues)
    return Observation(
      id: id, framework: test.framework, displayName: test.displayName,
      outcome: isOpen
        ? OutcomeTable.worse(OutcomeTable.ofOpenTest(openOutcome, issues: issues), outcome) : outcome,
      duration: isOpen ? nil : seconds, issues: issues, skipReason: reason)
  }
}
