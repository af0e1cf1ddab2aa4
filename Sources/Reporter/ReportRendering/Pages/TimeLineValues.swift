import Collector
import ReportModel

/// Rows of the picture.
private let mostRows = 40

/// The width of the picture in its own units.
private let pictureWidth = 1000

/// The height of a line of bars, and of the space below it.
private let lineHeight = 9

/// Tests that are drawn one by one, with their names.
private let mostNamed = 1500

extension TimeLine {
  /// Of a whole run; `nil` when no input tells when at least two tests ran.
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

/// What the template `timeline` asks for.
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

/// What the template `glance` asks for: all processes on one line, of fewer pixels.
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

/// A rectangle of the picture.
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

/// One shape for what touches and ended alike; the worst outcome wins a pixel.
///
/// - Parameter step: How wide a pixel is.
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
