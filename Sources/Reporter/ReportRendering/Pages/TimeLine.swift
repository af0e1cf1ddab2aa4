import Collector
import ReportModel

/// A time line of the run, a row per process or lane of processes.
///
/// Tests closer than a pixel are merged with the worst outcome's colour, so its size is bounded.
struct TimeLine {
  struct Bar {
    /// Seconds after the first test's start.
    var start: Double
    var end: Double
    var outcome: Outcome
    var test: Int
  }

  struct Row {
    var title: String
    var processes: Int
    var tests: Int
    var lines: [[Bar]]
  }

  private(set) var rows: [Row] = []
  private(set) var length = 0.0
  private(set) var processes = 0

  /// With more processes they share lanes.
  private static let mostProcessRows = 12
  private static let longest = 1e9
  /// Parallel tests drawn separately; others share the last line.
  private static let mostLines = 6

  /// `nil` without times.
  init?(_ tests: [TestResult]) {
    var bars: [String: [Bar]] = [:]
    for index in tests.detailed {
      guard let span = tests[index].span, span.start.isFinite, abs(span.start) < 1e11 else { continue }
      let seconds = tests[index].duration.flatMap { $0.isFinite ? min($0, Self.longest) : nil } ?? 0
      bars[span.process, default: []].append(
        Bar(start: span.start, end: span.start + seconds, outcome: tests[index].outcome, test: index))
    }
    guard let first = bars.values.joined().map(\.start).min(),
      let last = bars.values.joined().map(\.end).max()
    else { return nil }
    (length, processes) = (max(last - first, 0.001), bars.count)
    let sorted = bars.map { name, bars in Process(name: name, bars: Self.shifted(bars, by: first)) }
      .sorted { ($0.start, $0.name) < ($1.start, $1.name) }
    // One process per row, or consecutive ones.
    let isFew = sorted.count <= Self.mostProcessRows
    rows = (isFew ? sorted.map { [$0] } : Self.stacked(sorted) { ($0.start, $0.end) }).map(Self.row)
  }

  private struct Process {
    var name: String
    var bars: [Bar]
    var start: Double { bars.first?.start ?? 0 }
    var end: Double { bars.map(\.end).max() ?? 0 }
  }

  private static func shifted(_ bars: [Bar], by start: Double) -> [Bar] {
    bars.map { Bar(start: $0.start - start, end: $0.end - start, outcome: $0.outcome, test: $0.test) }
      .sorted { ($0.start, $0.test) < ($1.start, $1.test) }
  }

  private static func row(_ processes: [Process]) -> Row {
    let bars = processes.flatMap(\.bars)
    let title = processes.count == 1 ? processes[0].name : counted(processes.count, "process", "processes")
    // Ends are measured by another clock call.
    let lines = stacked(bars, most: mostLines, slack: 0.0005) { ($0.start, $0.end) }
    return Row(title: title, processes: processes.count, tests: bars.count, lines: lines)
  }

  /// Puts each on the first free line, or on the last.
  private static func stacked<Each>(
    _ all: [Each], most: Int = .max, slack: Double = 0, _ span: (Each) -> (start: Double, end: Double)
  ) -> [[Each]] {
    var lines: [[Each]] = []
    var ends: [Double] = []
    for each in all {
      let (start, end) = span(each)
      if let line = ends.firstIndex(where: { $0 <= start + slack }) {
        lines[line].append(each)
        ends[line] = end
      } else if lines.count < most {
        lines.append([each])
        ends.append(end)
      } else {
        lines[most - 1].append(each)
        ends[most - 1] = max(ends[most - 1], end)
      }
    }
    return lines
  }

  /// `nil` for fewer than two tests with times.
  init?(ofRun tests: [TestResult]) {
    self.init(tests)
    guard testCount > 1 else { return nil }
  }

  fileprivate var testCount: Int { rows.reduce(0) { $0 + $1.tests } }

  /// `728 ms in 4 processes, at most 2 at once`.
  fileprivate var title: String {
    let atOnce = rows.count < processes ? ", at most \(rows.count) at once" : ""
    return "\(durationText(length) ?? "") in \(counted(processes, "process", "processes"))\(atOnce)"
  }
}

private let mostRows = 40

private let pictureWidth = 1000

private let lineHeight = 9

private let mostNamed = 1500

/// Values for template `timeline`.
func timeLineValues(_ line: TimeLine, _ tests: [TestResult]) -> TemplateValues {
  let count = line.testCount
  let shown = line.rows.prefix(mostRows)
  let rest = line.rows.dropFirst(mostRows).reduce(0) { $0 + $1.processes }
  return [
    "title": line.title,
    "length": durationText(line.length),
    "half": durationText(line.length / 2),
    "rows": shown.map { rowValues($0, line.length, count <= mostNamed ? tests : nil) },
    "more": rest > 0 ? "\(counted(rest, "more process", "more processes")) not drawn." : nil,
  ]
}

/// Values for template `glance`: all processes on one line.
func glanceLineValues(_ line: TimeLine) -> TemplateValues {
  let step = pictureWidth / 250
  let bars = line.rows.flatMap(\.lines).flatMap { $0 }
  let shapes = merged(bars, line.length, step: step)
  return [
    "title": line.title,
    "bars": shapes.map { shape -> TemplateValues in
      ["style": shape.outcome.rawValue, "x": shape.start, "width": shape.width]
    },
  ]
}

private func rowValues(_ row: TimeLine.Row, _ length: Double, _ tests: [TestResult]?) -> TemplateValues {
  let bars = row.lines.enumerated().flatMap { line, bars in
    let shapes = tests.map { named(bars, length, $0) } ?? merged(bars, length)
    return shapes.map { shape -> TemplateValues in
      [
        "style": shape.outcome.rawValue, "x": shape.start, "width": shape.width, "y": line * lineHeight,
        "name": shape.name,
      ]
    }
  }
  return [
    "title": visibleOnOneLine(row.title), "tally": counted(row.tests, "test"), "bars": bars,
    "height": row.lines.count * lineHeight - 2,
  ]
}

private struct Shape {
  var start: Int
  var width: Int
  var outcome: Outcome
  var name: String?
}

private func named(_ bars: [TimeLine.Bar], _ length: Double, _ tests: [TestResult]) -> [Shape] {
  bars.map { bar in
    let test = tests[bar.test]
    let duration = test.duration.flatMap(durationText).map { ", \($0)" } ?? ""
    let name = "\(shortened(test.id.description, to: 200)): \(test.outcome.word.lowercased())\(duration)"
    var shape = Shape(bar, length)
    shape.name = visibleOnOneLine(name)
    return shape
  }
}

/// Merges adjacent equal outcomes; the worst wins a pixel.
///
/// - Parameter step: A pixel's width.
private func merged(_ bars: [TimeLine.Bar], _ length: Double, step: Int = 1) -> [Shape] {
  var pixels = [Outcome?](repeating: nil, count: pictureWidth / step)
  for shape in bars.lazy.map({ Shape($0, length) }) {
    for pixel in (shape.start / step)...((shape.start + shape.width - 1) / step) {
      pixels[pixel] = pixels[pixel].map { OutcomeTable.worse($0, shape.outcome) } ?? shape.outcome
    }
  }
  var shapes: [Shape] = []
  for (pixel, outcome) in pixels.enumerated() {
    guard let outcome else { continue }
    if let last = shapes.last, last.outcome == outcome, last.start + last.width == pixel * step {
      shapes[shapes.count - 1].width += step
    } else {
      shapes.append(Shape(start: pixel * step, width: step, outcome: outcome))
    }
  }
  return shapes
}

extension Shape {
  fileprivate init(_ bar: TimeLine.Bar, _ length: Double) {
    let first = min(pictureWidth - 1, max(0, Int(bar.start / length * Double(pictureWidth))))
    let end = min(pictureWidth, max(first + 1, Int((bar.end / length * Double(pictureWidth)).rounded(.up))))
    self.init(start: first, width: max(1, end - first), outcome: bar.outcome)
  }
}
