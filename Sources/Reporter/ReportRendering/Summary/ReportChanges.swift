import Collector
import ReportModel
import ReportReading

/// Changes between two reports, by test identity.
struct ReportChanges: Sendable, Equatable {
  var newlyFailed: [String] = []
  var stillFailed: [String] = []
  var fixed: [String] = []
  var added: [String] = []
  var removed: [String] = []
  var slower: [Slowdown] = []

  struct Slowdown: Sendable, Equatable {
    var id: String
    var before: Double
    var after: Double
  }

  init(from baseline: Baseline, to current: [TestResult]) {
    let tests = current.map { (id: $0.id.description, test: $0) }
    for (id, test) in tests { compare(id, baseline.tests[id], test) }
    let names = Set(tests.map(\.id))
    removed = baseline.tests.keys.filter { !names.contains($0) }.sorted()
    slower.sort { $0.after - $0.before > $1.after - $1.before }
  }

  private mutating func compare(_ id: String, _ earlier: Baseline.Test?, _ test: TestResult) {
    let fails = test.outcome.isFailure
    switch earlier?.outcome.isFailure {
    case nil: added.append(id)
    case true? where fails: stillFailed.append(id)
    case true?: if test.outcome == .passed { fixed.append(id) }
    case false?: break
    }
    if fails, earlier?.outcome.isFailure != true { newlyFailed.append(id) }
    if let before = earlier?.duration, let after = test.duration, Self.isSlower(before, after) {
      slower.append(Slowdown(id: id, before: before, after: after))
    }
  }

  /// Less is noise.
  private static func isSlower(_ before: Double, _ after: Double) -> Bool {
    after > before * 2 && after - before > 0.2
  }
}

/// A line of counts in Markdown.
func changeLine(_ changes: ReportChanges) -> String {
  let counts = changeLists(changes).map { "\(grouped($0.lines.count)) \($0.title)" }
  guard !counts.isEmpty else { return "Against the baseline: nothing changed.\n\n" }
  return "Against the baseline: **\(counts.joined(separator: ", "))**\n\n"
}

typealias ChangeList = (title: String, lines: [String])

func changeLists(_ changes: ReportChanges) -> [ChangeList] {
  let slower = changes.slower.map { slowdown in
    "\(codeSpan(shortened(slowdown.id, to: 300))): \(durationText(slowdown.before) ?? "?") → "
      + "\(durationText(slowdown.after) ?? "?")"
  }
  let lists: [ChangeList] = [
    ("newly failed", names(changes.newlyFailed)), ("fixed", names(changes.fixed)),
    ("still failing", names(changes.stillFailed)), ("new", names(changes.added)),
    ("removed", names(changes.removed)), ("slower", slower),
  ]
  return lists.filter { !$0.lines.isEmpty }
}

/// The first tests of a list.
func changeSection(_ list: ChangeList) -> String {
  let rest = list.lines.count - min(list.lines.count, mostNamed)
  return "**\(capitalized(list.title))**\n\n"
    + list.lines.prefix(mostNamed).map { "- \($0)\n" }.joined()
    + (rest > 0 ? "- … and \(grouped(rest)) more\n" : "") + "\n"
}

private let mostNamed = 8

private func names(_ ids: [String]) -> [String] { ids.map { codeSpan(shortened($0, to: 300)) } }
