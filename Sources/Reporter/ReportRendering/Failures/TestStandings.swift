import Collector
import ReportHistory
import ReportModel
import ReportReading

/// A test's standing since the baseline, or by history.
enum TestStanding: String, Sendable, CaseIterable {
  case new, still, fixed

  var word: String {
    switch self {
    case .new: "New failure"
    case .still: "Still failing"
    case .fixed: "Fixed"
    }
  }

  /// Values for the label of a failure.
  func values(_ word: String) -> TemplateValues { ["style": rawValue, "word": word] }

  var phrase: String { self == .still ? "still failing" : rawValue }
}

extension TestStanding {
  fileprivate init?(_ past: TestPast) {
    switch past.standing {
    case .new: self = .new
    case .compared(let other): self = other.hasPassed ? .new : .still
    case .failing(let since): self = since.runs == 1 && since.passed != nil ? .new : .still
    case .fixed: self = .fixed
    case .flaky, .failingUncommitted, nil: return nil
    }
  }
}

/// Tests that fail now, or failed before and pass.
struct TestStandings: Sendable {
  private var standings: [TestCaseID: TestStanding] = [:]
  private(set) var fixed: [TestResult] = []

  /// By a comparison with another commit's code first, then by a baseline, else by history; `nil` without any.
  init?(_ contents: ReportContents) {
    let (tests, pasts) = (contents.report.tests, contents.pasts)
    if let baseline = contents.summary.baseline {
      self.init(since: baseline, tests)
    } else if !pasts.isEmpty {
      self.init(pasts, tests)
    } else {
      return nil
    }
    for (id, past) in pasts where past.compared != nil { standings[id] = TestStanding(past) }
  }

  private init(since baseline: Baseline, _ tests: [TestResult]) {
    let changes = ReportChanges(from: baseline, to: tests)
    var named: [String: TestStanding] = [:]
    for id in changes.newlyFailed { named[id] = .new }
    for id in changes.stillFailed { named[id] = .still }
    for id in changes.fixed { named[id] = .fixed }
    note(tests) { named[$0.id.description] }
  }

  init(_ pasts: [TestCaseID: TestPast], _ tests: [TestResult]) {
    note(tests) { pasts[$0.id].flatMap(TestStanding.init) }
  }

  private mutating func note(_ tests: [TestResult], _ standing: (TestResult) -> TestStanding?) {
    for test in tests {
      guard let standing = standing(test) else { continue }
      standings[test.id] = standing
      if standing == .fixed { fixed.append(test) }
    }
  }

  /// `nil` without news.
  subscript(test: TestCaseID) -> TestStanding? { standings[test] }

  func count(_ standing: TestStanding) -> Int { standings.values.count { $0 == standing } }
}
