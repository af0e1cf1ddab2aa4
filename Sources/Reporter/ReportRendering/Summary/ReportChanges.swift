import Collector
import ReportModel
import ReportReading

/// What changed from one report to the next, as test identities in the order of the report.
struct ReportChanges: Sendable, Equatable {
  var newlyFailed: [String] = []
  var stillFailed: [String] = []
  var fixed: [String] = []
  var added: [String] = []
  var removed: [String] = []
  var slower: [Slowdown] = []

  struct Slowdown: Sendable, Equatable {
    var id: String
    /// Seconds.
    var before: Double
    var after: Double
  }

  /// - Parameter current: The report's tests; those of the baseline are found by their identity.
  init(from baseline: Baseline, to current: [TestResult]) {
    let tests = current.map { (id: $0.id.description, test: $0) }
    for (id, test) in tests { compare(id, baseline.tests[id], test) }
    let names = Set(tests.map(\.id))
    removed = baseline.tests.keys.filter { !names.contains($0) }.sorted()
    slower.sort { $0.after - $0.before > $1.after - $1.before }
  }

  private mutating func compare(_ id: String, _ earlier: Baseline.Test?, _ test: TestResult) {
    let fails = test.outcome.isFailure
    switch earlier?.outcome.isFailure {
    case nil: added.append(id)
    case true? where fails: stillFailed.append(id)
    case true?: if test.outcome == .passed { fixed.append(id) }
    case false?: break
    }
    if fails, earlier?.outcome.isFailure != true { newlyFailed.append(id) }
    if let before = earlier?.duration, let after = test.duration, Self.isSlower(before, after) {
      slower.append(Slowdown(id: id, before: before, after: after))
    }
  }

  /// Less is noise: twice as long, and a fifth of a second more.
  private static func isSlower(_ before: Double, _ after: Double) -> Bool {
    after > before * 2 && after - before > 0.2
  }
}
