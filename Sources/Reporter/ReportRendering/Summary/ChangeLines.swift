import ReportModel

/// The change against an earlier report in Markdown: a line of counts.
func changeLine(_ changes: ReportChanges) -> String {
  let counts = changeLists(changes).map { "\(grouped($0.lines.count)) \($0.title)" }
  guard !counts.isEmpty else { return "Against the baseline: nothing changed.\n\n" }
  return "Against the baseline: **\(counts.joined(separator: ", "))**\n\n"
}

/// Tests that changed in one way, in Markdown.
typealias ChangeList = (title: String, lines: [String])

/// The lists that have any test.
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

/// The tests of a list by their names, as many as a reader looks at.
func changeSection(_ list: ChangeList) -> String {
  let rest = list.lines.count - min(list.lines.count, mostNamed)
  return "**\(capitalized(list.title))**\n\n"
    + list.lines.prefix(mostNamed).map { "- \($0)\n" }.joined()
    + (rest > 0 ? "- … and \(grouped(rest)) more\n" : "") + "\n"
}

/// Tests of a list named one by one.
private let mostNamed = 8

private func names(_ ids: [String]) -> [String] { ids.map { codeSpan(shortened($0, to: 300)) } }
