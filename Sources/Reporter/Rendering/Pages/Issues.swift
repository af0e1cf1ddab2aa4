import Collector

/// Longer messages are cut on the page, in scalars; the whole is in `report.json`.
private let longestMessage = 64 * 1024

/// What the template `issue` asks for.
func issueValues(_ issue: TestIssue, number: Int, in context: PageContext) -> TemplateValues {
  let text = withoutTerminalColors(issue.message)
  let reading = FailureMessage(text)
  let diff = diffValues(reading)
  return [
    "number": number,
    "style": issue.isFailure ? "failed" : issue.isKnown ? "knownIssue" : "warning",
    "label": issue.isFailure ? "Issue" : issue.isKnown ? "Known issue" : "Warning",
    "location": issue.location.map { visibleOnOneLine($0.text) },
    "headline": diff.map { _ in headline(of: reading) ?? "" },
    "note": note(of: reading).map(visible),
    "diff": diff,
    "message": shortened(text, to: longestMessage),
    "excerpt": issue.location.flatMap { context.contents.sources[$0] }.map(excerptValues),
  ]
}

/// The issue in one glance: a short comparison, or the message's first line.
func issueSummaryValues(_ issue: TestIssue) -> TemplateValues {
  let text = withoutTerminalColors(issue.message)
  if case .comparison(let comparison) = FailureMessage(text), isShort(comparison.left),
    isShort(comparison.right)
  {
    return [
      "headline": visibleOnOneLine(shortened(firstLine(comparison.headline), to: 200)),
      "note": comparison.note.map { visibleOnOneLine(shortened(firstLine($0), to: 200)) },
      "diff": diffValues(.comparison(comparison)),
    ]
  }
  return ["headline": visibleOnOneLine(shortened(firstLine(text), to: 240)), "note": nil, "diff": nil]
}

private func isShort(_ side: FailureMessage.Side) -> Bool {
  side.value.utf8.count <= 120 && !side.value.contains("\n")
}

private func headline(of reading: FailureMessage) -> String? {
  switch reading {
  case .comparison(let comparison): comparison.headline
  case .difference(let difference): difference.headline
  case .verbatim: nil
  }
}

private func note(of reading: FailureMessage) -> String? {
  switch reading {
  case .comparison(let comparison): comparison.note
  case .difference(let difference): difference.note
  case .verbatim: nil
  }
}

/// What the template `diff` asks for; `nil` when there is nothing to compare.
private func diffValues(_ reading: FailureMessage) -> TemplateValues? {
  switch reading {
  case .comparison(let comparison):
    guard let lines = lineDiff(from: comparison.left.value, to: comparison.right.value) else { return nil }
    return diffValues(lines, left: comparison.left.label, right: comparison.right.label)
  case .difference(let difference):
    return diffValues(difference.lines, left: difference.leftLabel, right: difference.rightLabel)
  case .verbatim: return nil
  }
}

private func diffValues(_ lines: [DiffLine], left: String, right: String) -> TemplateValues {
  [
    "left": visibleOnOneLine(shortened(left, to: 80)), "right": visibleOnOneLine(shortened(right, to: 80)),
    "lines": lines.map(lineValues),
    "isEqual": lines.allSatisfy { $0.kind == .same },
  ]
}

private func lineValues(_ line: DiffLine) -> TemplateValues {
  let spans: [TemplateValues] = line.spans.map { ["text": $0.text, "isChanged": $0.isChanged] }
  switch line.kind {
  case .same: return ["isSame": true, "isRemoved": false, "isAdded": false, "omitted": nil, "spans": spans]
  case .removed:
    return ["isSame": false, "isRemoved": true, "isAdded": false, "omitted": nil, "spans": spans]
  case .added: return ["isSame": false, "isRemoved": false, "isAdded": true, "omitted": nil, "spans": spans]
  case .omitted(let count):
    return [
      "isSame": false, "isRemoved": false, "isAdded": false, "omitted": counted(count, "equal line"),
      "spans": spans,
    ]
  }
}

private func excerptValues(_ excerpt: SourceExcerpt) -> TemplateValues {
  let lines: [TemplateValues] = excerpt.lines.enumerated().map { index, text in
    let number = excerpt.firstLine + index
    return ["number": number, "text": text, "isMarked": number == excerpt.markedLine]
  }
  return ["lines": lines]
}
