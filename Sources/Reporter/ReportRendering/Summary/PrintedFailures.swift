import Collector
import ReportInspection
import ReportModel
import ReportPlaces
import ReportStory

/// The failures of a run as lines for its end in a terminal: of the first ones name, place, message, what the test did and
/// what is suspicious about it.
package struct PrintedFailures: Sendable {
  private struct Entry {
    var name: TerminalLine
    var place: TerminalLine?
    var lines: [TerminalLine] = []
  }

  private var entries: [Entry] = []
  private var rest = 0

  /// - Parameter most: Failures that are named; of more than that the first of alike ones, as far as there are such.
  package init(_ context: PageContext, most: Int = 10) {
    let all = context.counts.failures
    let alone = all <= most ? context.groups.flatMap { group in group.failures.map { ($0, 0) } } : []
    let firsts = context.groups.prefix(most).compactMap { group in
      group.failures.first.map { ($0, group.total - 1) }
    }
    let shown = all <= most ? alone : firsts
    for (test, alike) in shown { add(test, alike: alike, context.contents) }
    rest = all - shown.reduce(0) { $0 + 1 + $1.1 }
  }

  /// An empty line before and behind them; nothing where no test failed.
  package func printed(_ settings: TerminalSettings) -> String {
    guard !entries.isEmpty else { return "" }
    var lines = [TerminalLine()]
    for entry in entries {
      lines += Self.head(entry, width: settings.width) + entry.lines.map { $0.cut(toWidth: settings.width) }
    }
    if rest > 0 { lines.append(TerminalLine("… and \(counted(rest, "more failed test"))", .soft)) }
    return (lines + [TerminalLine()]).printed(isColoured: settings.isColoured)
  }

  /// Name and place, on a line each where both have no room on one.
  private static func head(_ entry: Entry, width: Int?) -> [TerminalLine] {
    guard let place = entry.place else { return [entry.name.cut(toWidth: width)] }
    var both = entry.name
    both.add("  ")
    both.add(place)
    if both.width <= width ?? .max { return [both] }
    var below = TerminalLine("    ")
    below.add(place)
    return [entry.name.cut(toWidth: width), below.cut(toWidth: width)]
  }

  private mutating func add(_ test: TestResult, alike: Int, _ contents: ReportContents) {
    let place = (test.leadingIssue?.location ?? test.location).map { TerminalLine($0.text, .soft) }
    let name = TerminalLine("\(test.outcome.symbol) \(shortened(test.id.description, to: 300))", .failed)
    var entry = Entry(name: name, place: place)
    let message =
      test.leadingIssue.map { glance($0, contents.sources) }
      ?? (test.crash?.brief.first ?? remark(on: test)).map(glance)
    if let message { entry.lines.append(TerminalLine("    " + message)) }
    if let story = contents.stories[test.id], let told = Self.told(story) {
      entry.lines.append(TerminalLine("    It did: \(told)", .soft))
    }
    if let failing = FailingPlace(of: test, in: contents.stories[test.id]) {
      entry.lines.append(TerminalLine("    " + failing.sentence, .soft))
    }
    if let finding = TestFindings(test, contents).ofTheTest {
      entry.lines.append(TerminalLine("    Suspicious: \(shortened(finding.sentence, to: 300))", .odd))
    }
    if alike > 0 {
      entry.lines.append(TerminalLine("    and \(counted(alike, "more failure")) like this one", .soft))
    }
    entries.append(entry)
  }

  private static func told(_ story: Story) -> String? {
    let odd = story.oddText
    guard let changes = story.briefText.map({ shortened($0, to: 300) }) else { return odd }
    return odd.map { changes + (changes.hasSuffix(".") ? " " : ", ") + $0 } ?? changes
  }
}
