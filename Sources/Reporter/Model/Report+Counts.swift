extension Report {
  /// How many tests ended in which way; every outcome has its number.
  var counts: [Outcome: Int] {
    var counts = Dictionary(uniqueKeysWithValues: Outcome.allCases.map { ($0, 0) })
    for test in tests { counts[test.outcome, default: 0] += 1 }
    return counts
  }

  var hasFailures: Bool { tests.contains { $0.outcome.isFailure } }
}
