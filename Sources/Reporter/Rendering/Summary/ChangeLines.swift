/// The change against an earlier report in Markdown: a line of counts, and the tests in `<details>`.
func changeLines(_ changes: ReportChanges) -> String {
  let slower = changes.slower.map { slowdown in
    "\(codeSpan(shortened(slowdown.id, to: 300))): \(durationText(slowdown.before) ?? "?") → "
      + "\(durationText(slowdown.after) ?? "?")"
  }
  let lists: [(title: String, lines: [String])] = [
    ("newly failed", names(changes.newlyFailed)), ("fixed", names(changes.fixed)),
    ("still failing", names(changes.stillFailed)), ("new", names(changes.added)),
    ("removed", names(changes.removed)), ("slower", slower),
  ]
  let shown = lists.filter { !$0.lines.isEmpty }
  guard !shown.isEmpty else { return "Against the baseline: nothing changed.\n\n" }
  let counts = shown.map { "\(grouped($0.lines.count)) \($0.title)" }.joined(separator: ", ")
  return "Against the baseline: **\(counts)**\n\n<details>\n<summary>Which tests</summary>\n\n"
    + shown.map(section).joined() + "</details>\n\n"
}

/// Tests of a list named one by one.
private let mostNamed = 30

private func names(_ ids: [String]) -> [String] { ids.map { codeSpan(shortened($0, to: 300)) } }

private func section(_ list: (title: String, lines: [String])) -> String {
  let rest = list.lines.count - min(list.lines.count, mostNamed)
  return "**\(list.title.prefix(1).uppercased() + list.title.dropFirst())**\n\n"
    + list.lines.prefix(mostNamed).map { "- \($0)\n" }.joined()
    + (rest > 0 ? "- … and \(grouped(rest)) more\n" : "") + "\n"
}
