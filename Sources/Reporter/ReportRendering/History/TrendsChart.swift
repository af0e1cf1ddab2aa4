import Collector
import ReportHistory
import ReportModel

/// A bar chart of runs, each bar one or several runs.
///
/// Passed tests are above a line, failed ones below it on their own scale, which shows even one of thousands. A line
/// below shows durations.
struct TrendsChart {
  struct Bar {
    var runs: ArraySlice<TrendRun>

    func mean(_ count: (TrendRun) -> Int) -> Double {
      Double(runs.reduce(0) { $0 + count($1) }) / Double(max(1, runs.count))
    }

    var above: Double { mean(\.tests) - mean(\.failures) }
    var below: Double { mean(\.failures) + mean(\.flaky) }
    var seconds: Double? { median(runs.compactMap(\.seconds)) }
    var failedRuns: Int { runs.count { $0.failures > 0 } }
  }

  private(set) var bars: [Bar]
  /// Runs per bar; the last may have fewer.
  let runsInABar: Int
  private let longest: Double

  init(_ runs: [TrendRun], most: Int) {
    let size = max(1, (runs.count + most - 1) / most)
    runsInABar = size
    bars = stride(from: 0, to: runs.count, by: size).map { start in
      Bar(runs: runs[start..<min(runs.count, start + size)])
    }
    longest = Self.scale(bars.compactMap(\.seconds))
  }

  /// The top of the duration scale; extreme runs are cut off.
  static func scale(_ seconds: [Double]) -> Double {
    let sorted = seconds.sorted()
    guard let most = sorted.last else { return 0 }
    let usual = sorted[(sorted.count - 1) * 19 / 20]
    return usual > 0 && most > 3 * usual ? 1.5 * usual : most
  }

  // MARK: - The picture

  /// Pixels vertically, ten-thousandths of the width horizontally.
  private static let width = 10_000
  private static let (line, depth, timeTop, timeLine) = (80, 36, 134, 190)
  /// Room for at least so many bars, so that few are not wide.
  private static let leastBars = 40

  private var slot: Int { Self.width / max(bars.count, Self.leastBars) }

  private func left(_ index: Int) -> Int { index * slot + slot / 10 }

  private func rectangle(_ index: Int, from top: Int, to bottom: Int) -> String {
    top < bottom ? "M\(left(index)) \(top)V\(bottom)h\(slot * 8 / 10)V\(top)z" : ""
  }

  private struct Paths {
    var (passed, skipped, failed, flaky, time, points) = ("", "", "", "", "", "")
  }

  private var paths: Paths {
    let mostTests = max(bars.map { $0.mean(\.tests) }.max() ?? 0, 1)
    let mostBelow = max(bars.map(\.below).max() ?? 0, 1e-9)
    var paths = Paths()
    var isOpen = false
    for (index, bar) in bars.enumerated() {
      let skipped = Int(bar.mean(\.skipped) / mostTests * Double(Self.line - 2))
      let above = Int(bar.above / mostTests * Double(Self.line - 2))
      paths.passed += rectangle(index, from: Self.line - above + skipped, to: Self.line)
      paths.skipped += rectangle(index, from: Self.line - above, to: Self.line - above + skipped)
      let below = Self.line + 2
      let failed = Self.depth(bar.mean(\.failures), mostBelow)
      paths.failed += rectangle(index, from: below, to: below + failed)
      paths.flaky += rectangle(
        index, from: below + failed, to: below + failed + Self.depth(bar.mean(\.flaky), mostBelow))
      guard let seconds = bar.seconds else {
        isOpen = false
        continue
      }
      let share = longest > 0 ? min(1, seconds / longest) : 0
      let height = Self.timeLine - Int(share * Double(Self.timeLine - Self.timeTop))
      let place = "\(left(index) + slot * 4 / 10) \(height)"
      paths.time += (isOpen ? "L" : "M") + place
      if bars.count <= Self.leastBars { paths.points += "M\(place)h0" }
      isOpen = true
    }
    return paths
  }

  /// A single test stays visible.
  private static func depth(_ count: Double, _ most: Double) -> Int {
    count > 0 ? max(4, Int(count / most * Double(depth))) : 0
  }

  // MARK: - Values

  /// Values for template `trends`.
  var values: TemplateValues {
    let paths = paths
    let mostTests = bars.map { $0.mean(\.tests) }.max() ?? 0
    let mostBelow = bars.map(\.below).max() ?? 0
    let isCut = bars.contains { ($0.seconds ?? 0) > longest }
    return [
      "passed": paths.passed, "skipped": paths.skipped, "failed": paths.failed, "flaky": paths.flaky,
      "time": paths.time, "points": paths.points,
      "bars": bars.enumerated().map { barValues($1, $0) },
      "hasSkipped": !paths.skipped.isEmpty, "hasFlaky": !paths.flaky.isEmpty, "hasTime": !paths.time.isEmpty,
      "mostTests": "\(Self.number(mostTests)) tests",
      "mostFailed": mostBelow > 0
        ? "\(Self.number(mostBelow)) failed" : "none failed",
      "longest": durationText(longest), "first": bars.first?.runs.first?.dayText,
      "middle": bars.count > 2 * Self.leastBars ? bars[bars.count / 2].runs.first?.dayText : nil,
      "last": bars.count > Self.leastBars / 2 ? bars.last?.runs.last?.dayText : nil,
      "note": note + (isCut ? ", and longer times are cut off" : ""),
    ]
  }

  private var note: String {
    runsInABar == 1
      ? "A bar is a run" : "A bar is \(grouped(runsInABar)) runs, one after the other, in the mean"
  }

  private func barValues(_ bar: Bar, _ index: Int) -> TemplateValues {
    let only = bar.runs.count == 1 ? bar.runs.first : nil
    return [
      "x": index * slot, "width": slot, "title": only.map(Self.title) ?? Self.title(bar),
      "link": only?.run.address.flatMap(webLink),
    ]
  }

  static func title(_ run: TrendRun) -> String {
    let facts: [String?] = [
      (run.failures > 0 ? "\(Outcome.failed.symbol) " : "") + run.run.name, timeText(run.run.began),
      run.run.stateText,
      run.run.branch, run.run.label, countsText(run), run.seconds.flatMap(durationText),
    ]
    return visibleOnOneLine(shortened(facts.compactMap { $0 }.joined(separator: " · "), to: 400))
  }

  static func countsText(_ run: TrendRun) -> String {
    [
      counted(run.tests, "test"), run.failures > 0 ? "\(grouped(run.failures)) failed" : nil,
      run.flaky > 0 ? "\(grouped(run.flaky)) flaky" : nil,
      run.skipped > 0 ? "\(grouped(run.skipped)) skipped" : nil,
    ].compactMap { $0 }.joined(separator: ", ")
  }

  private static func title(_ bar: Bar) -> String {
    let times = [bar.runs.first, bar.runs.last].compactMap { $0.flatMap { timeText($0.run.began) } }
    let facts: [String?] = [
      (bar.failedRuns > 0 ? "\(Outcome.failed.symbol) " : "") + counted(bar.runs.count, "run"),
      times.joined(separator: " to "), "\(grouped(bar.failedRuns)) failed",
      "\(number(bar.mean(\.tests))) tests, \(number(bar.mean(\.failures))) of them failed",
      bar.seconds.flatMap(durationText),
    ]
    return facts.compactMap { $0 }.joined(separator: " · ")
  }

  /// A mean, with a decimal if small.
  private static func number(_ value: Double) -> String {
    let tenths = Int((min(value, 1e12) * 10).rounded())
    if value < 0.05, value > 0 { return "under 0.1" }
    return tenths % 10 == 0 || tenths >= 100 ? grouped((tenths + 5) / 10) : "\(tenths / 10).\(tenths % 10)"
  }
}

extension TrendRun {
  var dayText: String? { timeText(run.began).map { String($0.prefix(10)) } }
}
