import Collector
import ReportModel

/// The run as a picture: one row a process, or a lane of processes that came one after the other.
///
/// Its size does not grow with the tests: what is nearer than a pixel is drawn as one, in the worst outcome's colour.
struct TimeLine {
  /// A test, in the order of its beginning.
  struct Bar {
    /// Seconds after the first test began.
    var start: Double
    var end: Double
    var outcome: Outcome
    /// Its place in the report.
    var test: Int
  }

  struct Row {
    var title: String
    var processes: Int
    var tests: Int
    /// Bars that do not overlap, each line below the other.
    var lines: [[Bar]]
  }

  private(set) var rows: [Row] = []
  /// Seconds.
  private(set) var length = 0.0
  private(set) var processes = 0

  /// Processes that have a row each; more of them share lanes.
  private static let mostProcessRows = 12
  /// Seconds of a test; what is said to have taken longer is drawn so long.
  private static let longest = 1e9
  /// Tests at once that are drawn apart; those beyond lie on the last line.
  private static let mostLines = 6

  /// `nil` when no input tells when tests ran.
  init?(_ tests: [TestResult]) {
    var bars: [String: [Bar]] = [:]
    for index in tests.indices where !tests[index].isPlain {
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
    rows = Self.lanes(sorted).map(Self.row)
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

  /// Each process alone, or so many that each begins when the one before it has ended.
  private static func lanes(_ processes: [Process]) -> [[Process]] {
    processes.count <= mostProcessRows
      ? processes.map { [$0] } : stacked(processes) { ($0.start, $0.end) }
  }

  private static func row(_ processes: [Process]) -> Row {
    let bars = processes.flatMap(\.bars)
    let title = processes.count == 1 ? processes[0].name : counted(processes.count, "process", "processes")
    // Ends are measured by another clock call than beginnings.
    let lines = stacked(bars, most: mostLines, slack: 0.0005) { ($0.start, $0.end) }
    return Row(title: title, processes: processes.count, tests: bars.count, lines: lines)
  }

  /// Each on the first line whose last one has ended when it begins; beyond the most lines on the last of them.
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
}
