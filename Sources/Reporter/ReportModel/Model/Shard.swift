package import Collector

/// The part of a package's tests that one machine runs, as `shard.json` of its run has it.
package struct Shard: Sendable, Hashable, Codable {
  var format = ArtifactsFormat.current
  /// From 1.
  package var number: Int
  package var count: Int
  /// The hash of what is in which shard; equal for shards that belong together.
  package var split: String
  /// The tests that it is to run.
  package var tests: Int

  /// More of them are taken for a mistake.
  package static let most = 10_000

  package init(number: Int, count: Int, split: String, tests: Int) {
    (self.number, self.count, self.split, self.tests) = (number, count, split, tests)
  }

  /// Such as `shard 2 of 4`.
  package var name: String { "shard \(number) of \(count)" }
}

/// The counts, times and slowest tests of one of several runs of a report.
package struct RunOverview: Sendable, Equatable {
  /// A test with its seconds.
  package struct Timed: Sendable, Equatable {
    package var test: TestCaseID
    package var duration: Double
  }

  package private(set) var tests = 0
  package private(set) var failures = 0
  /// The seconds of all tests together; `nil` where none is known.
  package private(set) var duration: Double?
  /// Seconds from the first test's start to the last one's end, by the clock of its machine.
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

/// The outcome of a test on the machines of one label.
package struct LabelledOutcome: Sendable, Equatable {
  package var label: String
  package var outcome: Outcome

  package init(label: String, outcome: Outcome) {
    (self.label, self.outcome) = (label, outcome)
  }
}

extension Report.Run {
  /// The name of its machines and toolchain: outcomes under two names are those of different things.
  package var machines: String {
    // The machines of a CI service have another name each time.
    machines(at: job ?? host)
  }

  /// The name by which a later run is of the same machines and toolchain: each container has another host's name.
  package var lastingMachines: String { machines(at: job) }

  private func machines(at place: String?) -> String {
    if let label { return label }
    let parts = [place, toolchain].compactMap { $0 }
    return parts.isEmpty ? "unknown" : parts.joined(separator: ", ")
  }
}
