import Collector
import ReportModel

/// Longer suites without failures are collapsed.
private let mostTestsUnfolded = 40

/// Longer lists only name suites; scripts load the tests.
private let mostTestsListed = 1000

private let mostSuites = 2000

/// All tests by module and suite.
func moduleValues(_ tests: [TestResult], in context: PageContext) -> [TemplateValues] {
  let isListed = tests.count <= mostTestsListed
  return grouped(tests[...]) { $0.module == $1.module }.map { module in
    let suites = grouped(module) { $0.suite == $1.suite }
    let shown = isListed ? suites : Array(suites.prefix(mostSuites))
    return [
      "title": (module.first?.id.module).map(visibleOnOneLine),
      "tally": tally(OutcomeCounts(module)),
      "suites": shown.map { suiteValues($0, isListed: isListed, in: context) },
      "moreSuites": suites.count > shown.count ? counted(suites.count - shown.count, "more suite") : nil,
    ]
  }
}

func unlistedText(_ count: Int) -> String? {
  count <= mostTestsListed
    ? nil
    : "Of more than \(grouped(mostTestsListed)) tests only the suites are named here, unless scripts may run. "
      + "Every test is in junit.xml and report.json."
}

private func suiteValues(
  _ tests: ArraySlice<TestResult>, isListed: Bool, in context: PageContext
) -> TemplateValues {
  let counts = OutcomeCounts(tests)
  return [
    "title": tests.first?.id.suiteTitle.map { visibleOnOneLine(shortened($0, to: 400)) },
    "tally": tally(counts),
    "isListed": isListed,
    "isOpen": counts.total <= mostTestsUnfolded || counts.failures > 0,
    "tests": isListed ? tests.map { rowValues($0, in: context) } : [],
  ]
}

// MARK: - Slowest tests

private let mostSlowest = 10

/// The slowest tests, if there are enough.
func slowestTests(_ tests: [TestResult]) -> [TestResult]? {
  let slowest = tests.slowest(mostSlowest)
  return slowest.count > 1 ? slowest.map { tests[$0] } : nil
}

func slowestValues(_ slowest: [TestResult], in context: PageContext) -> TemplateValues {
  let time = OutcomeCounts(slowest).duration.flatMap(durationText).map { "\($0) together" }
  return ["title": time, "list": slowest.map { rowValues($0, in: context) }]
}

// MARK: - Flaky and fixed tests

private let mostFlaky = 100

/// Values for a list of tests, if any.
///
/// - Parameter word: The search word for more.
func listValues(
  _ tests: some Sequence<TestResult>, of count: Int, _ word: String, in context: PageContext
) -> TemplateValues? {
  guard count > 0 else { return nil }
  return [
    "count": grouped(count), "list": tests.prefix(mostFlaky).map { rowValues($0, in: context) },
    "more": count > mostFlaky ? "\(counted(count - mostFlaky, "more test")): search for “\(word)”." : nil,
  ]
}

// MARK: - Rows

/// Values for template `row`.
private func rowValues(_ test: TestResult, in context: PageContext) -> TemplateValues {
  [
    "outcome": test.outcome.values, "name": test.nameValues, "page": context.link(toPageOf: test),
    "duration": test.duration.flatMap(durationText),
    "remark": test.remarkInList(context.contents.sources),
    "past": context.contents.pasts[test.id]?.smallValues,
    "evidence": test.outcome.isFailure ? nil : evidenceLinksValues(of: test, in: context),
  ]
}

/// `12 tests, 1 failed, 2 skipped`.
private func tally(_ counts: OutcomeCounts) -> String {
  let others = Outcome.allCases.compactMap { outcome in
    counts[outcome] == 0 || outcome == .passed ? nil : outcome.phrase(counts[outcome])
  }
  return ([counted(counts.total, "test")] + others).joined(separator: ", ")
}

/// Splits into runs of related neighbours.
func grouped(
  _ tests: ArraySlice<TestResult>, by belong: (TestCaseID, TestCaseID) -> Bool
) -> [ArraySlice<TestResult>] {
  var groups: [ArraySlice<TestResult>] = []
  var start = tests.startIndex
  for index in tests.indices.dropFirst() where !belong(tests[index - 1].id, tests[index].id) {
    groups.append(tests[start..<index])
    start = index
  }
  return tests.isEmpty ? [] : groups + [tests[start...]]
}
