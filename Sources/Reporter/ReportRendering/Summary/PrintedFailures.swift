import Collector
import ReportInspection
import ReportModel
import ReportStory

/// The first failures for the end of a terminal's output; empty without failures.
package func printedFailures(_ context: PageContext, _ settings: TerminalSettings) -> String {
  let all = context.counts.failures
  let shown: [(test: TestResult, alike: Int)] =
    all <= mostFailures
    ? context.groups.flatMap { group in group.failures.map { ($0, 0) } }
    : context.groups.prefix(mostFailures).compactMap { group in
      group.failures.first.map { ($0, group.total - 1) }
    }
  guard !shown.isEmpty else { return "" }
  var lines = [TerminalLine()]
  for (test, alike) in shown { lines += failure(test, alike: alike, context, settings.width) }
  let rest = all - shown.reduce(0) { $0 + 1 + $1.alike }
  if rest > 0 { lines.append(TerminalLine("… and \(counted(rest, "more failed test"))", .soft)) }
  return (lines + [TerminalLine()]).printed(isColoured: settings.isColoured)
}

/// With more failures only the first of each group are printed.
private let mostFailures = 10

private func failure(
  _ test: TestResult, alike: Int, _ context: PageContext, _ width: Int?
) -> [TerminalLine] {
  let contents = context.contents
  let failure = ToldFailure(test: test, contents: contents)
  var lines: [TerminalLine] = []
  let message = failure.message ?? remark(on: test).map(glance)
  if let message { lines.append(TerminalLine("    " + message)) }
  if let told = failure.story.flatMap(brief) { lines.append(TerminalLine("    It did: \(told)", .soft)) }
  if let failing = failure.failing { lines.append(TerminalLine("    " + failing.sentence, .soft)) }
  if let finding = TestFindings(test, contents).ofTheTest {
    lines.append(TerminalLine("    Suspicious: \(shortened(finding.sentence, to: 300))", .odd))
  }
  if alike > 0 {
    lines.append(TerminalLine("    and \(counted(alike, "more failure")) like this one", .soft))
  }
  return head(of: failure, context.standings?[test.id], width) + lines.map { $0.cut(toWidth: width) }
}

/// Name and place, on two lines if needed.
private func head(of failure: ToldFailure, _ standing: TestStanding?, _ width: Int?) -> [TerminalLine] {
  let test = failure.test
  let news = standing == .new ? "new " : ""
  let name = TerminalLine(
    "\(test.outcome.symbol) \(news)\(shortened(test.id.description, to: 300))", .failed)
  guard let place = failure.place else { return [name.cut(toWidth: width)] }
  var both = name
  both.add("  ")
  both.add(place.text, .soft)
  if both.width <= width ?? .max { return [both] }
  var below = TerminalLine("    ")
  below.add(place.text, .soft)
  return [name.cut(toWidth: width), below.cut(toWidth: width)]
}

private func brief(_ story: Story) -> String? {
  let odd = story.oddText
  guard let changes = story.briefText.map({ shortened($0, to: 300) }) else { return odd }
  return odd.map { changes + (changes.hasSuffix(".") ? " " : ", ") + $0 } ?? changes
}
