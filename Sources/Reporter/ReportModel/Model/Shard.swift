package import Collector

/// The part of a package's tests that one machine runs, from `shard.json`.
package struct Shard: Sendable, Hashable, Codable {
  var format = ArtifactsFormat.current
  /// From 1.
  package var number: Int
  package var count: Int
  /// A hash of the split, equal for shards that belong together.
  package var split: String
  package var tests: Int

  package static let most = 10_000

  package init(number: Int, count: Int, split: String, tests: Int) {
    (self.number, self.count, self.split, self.tests) = (number, count, split, tests)
  }

  package var name: String { "shard \(number) of \(count)" }
}

/// A shard of which a report has no run.
package struct MissingShard: Sendable, Equatable {
  /// `nil` where the runs do not say which shards they are.
  package var number: Int?
  package var count: Int
  /// How many tests it was to run, if known.
  package var tests: Int?

  package init(number: Int? = nil, count: Int, tests: Int? = nil) {
    (self.number, self.count, self.tests) = (number, count, tests)
  }
}

package struct RunOverview: Sendable, Equatable {
  package struct Timed: Sendable, Equatable {
    package var test: TestCaseID
    package var duration: Double
  }

  package private(set) var tests = 0
  package private(set) var failures = 0
  /// Seconds of all tests.
  package private(set) var duration: Double?
  /// Seconds from the first test's start to the last one's end.
  package private(set) var wallTime: Double?
  /// Longest first.
  package private(set) var slowest: [Timed] = []

  private static let mostSlowest = 3

  package init(_ tests: [TestRecord]) {
    let counts = OutcomeCounts(tests)
    (self.tests, failures, duration) = (counts.total, counts.failures, counts.duration)
    slowest = tests.slowest(Self.mostSlowest).compactMap { place in
      tests[place].duration.map { Timed(test: tests[place].id, duration: $0) }
    }
    var (first, last) = (Double.infinity, -Double.infinity)
    for index in tests.detailed {
      guard let start = tests[index].span?.start, start.isFinite else { continue }
      first = min(first, start)
      last = max(last, start + (tests[index].duration ?? 0))
    }
    if last > first { wallTime = last - first }
  }
}

package struct LabelledOutcome: Sendable, Equatable {
  package var label: String
  package var outcome: Outcome

  package init(label: String, outcome: Outcome) {
    (self.label, self.outcome) = (label, outcome)
  }
}

extension Report.Run {
  /// Machines and toolchain, whose outcomes are comparable.
  package var machines: String {
    // A CI service's machines have new names each time.
    machines(at: job ?? host)
  }

  /// The same for later runs, since a container has a new host name each time.
  package var lastingMachines: String { machines(at: job) }

  private func machines(at place: String?) -> String {
    if let label { return label }
    let parts = [place, toolchain].compactMap { $0 }
    return parts.isEmpty ? "unknown" : parts.joined(separator: ", ")
  }
}
