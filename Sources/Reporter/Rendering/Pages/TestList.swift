import Collector

/// Suites with more tests than this are folded in the list of all tests unless one of their tests failed.
private let mostTestsUnfolded = 40

/// Longer lists name only the suites: the rest is for scripts, which need no page of many megabytes.
private let mostTestsListed = 1000

/// Suites named of a module in a long list.
private let mostSuites = 2000

/// All tests for the index, by module and suite.
func moduleValues(_ tests: [TestResult], in context: PageContext) -> [TemplateValues] {
  let isListed = tests.count <= mostTestsListed
  return grouped(tests) { $0.id.module }.map { module in
    let suites = grouped(module) { $0.id.suite }
    let shown = isListed ? suites : Array(suites.prefix(mostSuites))
    return [
      "title": visibleOnOneLine(module[0].id.module),
      "tally": tally(module),
      "suites": shown.map { suiteValues($0, isListed: isListed, in: context) },
      "moreSuites": suites.count > shown.count ? counted(suites.count - shown.count, "more suite") : nil,
    ]
  }
}

/// What a list that names only suites has to say.
func unlistedText(_ tests: [TestResult]) -> String? {
  tests.count <= mostTestsListed
    ? nil
    : "Of more than \(grouped(mostTestsListed)) tests only the suites are named here, unless scripts may run. "
      + "Every test is in junit.xml and report.json."
}

private func suiteValues(
  _ tests: [TestResult], isListed: Bool, in context: PageContext
) -> TemplateValues {
  [
    "title": tests[0].id.suiteTitle.map { visibleOnOneLine(shortened($0, to: 400)) },
    "tally": tally(tests),
    "isListed": isListed,
    "isOpen": tests.count <= mostTestsUnfolded || tests.contains(where: \.outcome.isFailure),
    "tests": isListed ? tests.map { rowValues($0, in: context) } : [],
  ]
}

// MARK: - Slowest tests

private let mostSlowest = 10

/// The tests that took longest, if there are enough of them for that to be of interest.
func slowestValues(_ tests: [TestResult], in context: PageContext) -> TemplateValues? {
  let timed = tests.filter { ($0.duration ?? 0) > 0 }
  guard timed.count > 1 else { return nil }
  let slowest = timed.sorted { ($0.duration ?? 0) > ($1.duration ?? 0) }.prefix(mostSlowest)
  let time = totalDuration(Array(slowest)).flatMap(durationText).map { "\($0) together" }
  return ["title": time, "list": slowest.map { rowValues($0, in: context) }]
}

// MARK: - The list that scripts make

/// What the template `explorer` asks for; `nil` without tests.
func explorerValues(_ tests: [TestResult]) -> TemplateValues? {
  guard !tests.isEmpty else { return nil }
  let chips: [TemplateValues] = Outcome.allCases.compactMap { outcome in
    let count = tests.count { $0.outcome == outcome }
    guard count > 0 else { return nil }
    return ["query": outcome.filter, "outcome": outcome.values, "count": grouped(count)]
  }
  return ["files": testDataFileCount(tests.count), "chips": chips]
}

extension Outcome {
  /// What the search field calls it.
  fileprivate var filter: String {
    switch self {
    // `failed` alone means all that counts as a failure.
    case .failed: "failed !crashed !unfinished"
    case .knownIssue: "known"
    case .crashed, .unfinished, .skipped, .passed: rawValue
    }
  }
}

// MARK: - Rows

/// What the template `row` asks for.
private func rowValues(_ test: TestResult, in context: PageContext) -> TemplateValues {
  [
    "outcome": test.outcome.values, "name": test.nameValues, "page": context.link(toPageOf: test.id),
    "duration": test.duration.flatMap(durationText),
    "remark": test.remarkInList,
    "evidence": test.outcome.isFailure ? nil : evidenceLinksValues(of: test, in: context),
  ]
}

/// `12 tests, 1 failed, 2 skipped`.
private func tally(_ tests: [TestResult]) -> String {
  let others = Outcome.allCases.compactMap { outcome -> String? in
    let count = tests.count { $0.outcome == outcome }
    return count == 0 || outcome == .passed ? nil : outcome.phrase(count)
  }
  return ([counted(tests.count, "test")] + others).joined(separator: ", ")
}

/// Neighbours of one key in lists of their own; the order stays.
private func grouped<Key: Equatable>(_ tests: [TestResult], by key: (TestResult) -> Key) -> [[TestResult]] {
  var groups: [[TestResult]] = []
  for test in tests {
    if let last = groups.last?.last, key(last) == key(test) {
      groups[groups.count - 1].append(test)
    } else {
      groups.append([test])
    }
  }
  return groups
}
