import ReportHistory
import ReportModel

/// A line of a test's durations, oldest first, with marks where it failed.
struct DurationChart {
  struct Point {
    var seconds: Double
    var isFailure = false
  }

  private let points: [Point]
  /// The top of the scale; extreme durations are cut off.
  private let longest: Double

  init(_ points: [Point]) {
    self.points = points.filter { $0.seconds >= 0 && $0.seconds < 1e7 }
    longest = TrendsChart.scale(self.points.map(\.seconds))
  }

  init(_ past: TestPast) {
    self.init(
      past.outcomes.compactMap { outcome in
        outcome.duration.map { Point(seconds: $0, isFailure: outcome.outcome.isFailure) }
      })
  }

  init(passes: [Double]) { self.init(passes.map { Point(seconds: $0) }) }

  // MARK: - The picture

  private static let (width, height) = (1000, 24)

  private func place(_ index: Int) -> String {
    let share = longest > 0 ? min(1, points[index].seconds / longest) : 0
    let across = (2 * index + 1) * Self.width / (2 * points.count)
    return "\(across) \(Self.height - 2 - Int(share * Double(Self.height - 4)))"
  }

  private var line: String { points.indices.map { ($0 == 0 ? "M" : "L") + place($0) }.joined() }

  private var failures: String {
    points.indices.filter { points[$0].isFailure }.map { "M\(place($0))h0" }.joined()
  }

  // MARK: - Values

  /// Values for template `durations`; `nil` for less than two.
  var values: TemplateValues? {
    guard points.count > 1 else { return nil }
    return ["line": line, "failures": failures, "label": label, "most": durationText(longest)]
  }

  private var label: String {
    let sorted = points.map(\.seconds).sorted()
    let span = [sorted.first, sorted.last].compactMap { $0.flatMap(durationText) }
    let last = points.last.flatMap { durationText($0.seconds) } ?? ""
    return "How long it took in \(counted(points.count, "run")), oldest first: "
      + "\(Set(span).count > 1 ? span.joined(separator: " to ") : span.first ?? ""), at last \(last)"
  }
}
