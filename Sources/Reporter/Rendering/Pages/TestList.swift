import Collector

/// Suites with more tests than this are folded in the list of all tests unless one of their tests failed.
private let mostTestsUnfolded = 40

/// All tests for the index, by module and suite.
func moduleValues(_ tests: [TestResult], in context: PageContext) -> [TemplateValues] {
  grouped(tests) { $0.id.module }.map { module in
    [
      "title": visibleOnOneLine(module[0].id.module),
      "tally": tally(module),
      "suites": grouped(module) { $0.id.suite }.map { suiteValues($0, in: context) },
    ]
  }
}

private func suiteValues(_ tests: [TestResult], in context: PageContext) -> TemplateValues {
  [
    "title": tests[0].id.suiteTitle.map(visibleOnOneLine),
    "tally": tally(tests),
    "isOpen": tests.count <= mostTestsUnfolded || tests.contains(where: \.outcome.isFailure),
    "tests": tests.map { rowValues($0, in: context) },
  ]
}

private func rowValues(_ test: TestResult, in context: PageContext) -> TemplateValues {
  let remark = test.outcome == .skipped ? test.skipReason : test.leadingIssue?.message
  return [
    "outcome": test.outcome.values, "name": test.nameValues, "page": context.link(toPageOf: test.id),
    "duration": test.duration.flatMap(durationText),
    "remark": remark.map { visibleOnOneLine(shortened(firstLine($0), to: 160)) },
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
