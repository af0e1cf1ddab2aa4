import ExhibitSystem

/// A test's last lasting slowdown.
package struct DurationStep: Sendable, Equatable {
  /// The first run in which it took longer.
  package var run: HistoryRun
  /// That run's number within its series, newest first, from 1.
  package var runsAgo: Int
  /// The medians of its passes before and since, in seconds.
  package var before: Double
  package var now: Double

  package init(run: HistoryRun, runsAgo: Int, before: Double, now: Double) {
    (self.run, self.runsAgo, self.before, self.now) = (run, runsAgo, before, now)
  }
}

/// A pass of a test.
struct TimedPass: Sendable {
  /// The run's number within its series, newest first, from 1.
  var place: Int
  var seconds: Double
}

/// Searches a test's passes for a run since which it takes longer.
///
/// All passes since are compared with as many before, 10 to 20. All but a fifth, or two, lie on their side of the middle
/// between the two medians; what slowed down and recovered has no step.
struct DurationStepSearch {
  private static let mostBefore = 2 * DurationTrend.runs

  struct Step: Equatable {
    var place: Int
    var before: Double
    var now: Double
    /// Passes on the other side of the middle.
    fileprivate var misplaced: Int
  }

  /// Newest first.
  private let passes: [TimedPass]
  private let latest: Double

  init(_ passes: [TimedPass]) {
    self.passes = passes
    latest = median(passes.prefix(DurationTrend.runs).map(\.seconds)) ?? 0
  }

  /// The newest step; of neighbouring runs the one that parts the passes best.
  var step: Step? {
    let least = DurationTrend.leastPasses
    guard passes.count >= 2 * least else { return nil }
    var since = passes.prefix(least - 1).map(\.seconds).sorted()
    var best: Step?
    for count in least...(passes.count - least) {
      let added = passes[count - 1].seconds
      since.insert(added, at: since.place { $0 < added })
      guard let found = step(since) else {
        if best != nil { return best }
        continue
      }
      if best.map({ found.misplaced < $0.misplaced }) ?? true { best = found }
    }
    return best
  }

  /// - Parameter since: The durations of the newest passes, in order.
  private func step(_ since: [Double]) -> Step? {
    let window = min(max(since.count, DurationTrend.runs), Self.mostBefore)
    let earlier = passes[since.count...].prefix(window).map(\.seconds)
    guard let before = median(earlier) else { return nil }
    let now = since[(since.count - 1) / 2]
    guard Self.isLonger(now, than: before), Self.isLonger(latest, than: before) else { return nil }
    let middle = (before + now) / 2
    let (short, long) = (since.place { $0 < middle }, earlier.count { $0 >= middle })
    guard Self.isSure(short, of: since.count), Self.isSure(long, of: earlier.count) else { return nil }
    return Step(place: passes[since.count - 1].place, before: before, now: now, misplaced: short + long)
  }

  private static func isLonger(_ now: Double, than before: Double) -> Bool {
    now >= DurationTrend.leastRatio * before && now - before >= DurationTrend.leastSeconds
  }

  private static func isSure(_ misplaced: Int, of passes: Int) -> Bool {
    misplaced <= max(DurationTrend.mostOutliers, passes / 5)
      && passes - misplaced >= DurationTrend.leastPasses
  }
}
