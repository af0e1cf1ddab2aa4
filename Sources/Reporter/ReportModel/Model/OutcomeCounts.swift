package struct OutcomeCounts: Sendable, Equatable {
  private var counts = [Int](repeating: 0, count: Outcome.allCases.count)
  package private(set) var total = 0
  /// Tests that failed in an attempt, but not in the deciding one.
  package private(set) var flaky = 0
  package private(set) var duration: Double?

  package init(_ tests: [TestResult]) { self.init(tests[...]) }

  package init(_ tests: ArraySlice<TestResult>) {
    // A loop over the elements would copy each.
    for index in tests.indices {
      counts[tests[index].outcome.severity] += 1
      if !tests[index].isPlain && tests[index].isFlaky { flaky += 1 }
      if let seconds = tests[index].duration { duration = (duration ?? 0) + seconds }
    }
    total = tests.count
  }

  package subscript(outcome: Outcome) -> Int { counts[outcome.severity] }

  package var failures: Int { self[.crashed] + self[.failed] + self[.unfinished] }
}
