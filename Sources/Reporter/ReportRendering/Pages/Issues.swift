import Collector
import ReportInspection
import ReportModel
import ReportStory

/// Longer messages are cut on the page, in scalars; the whole is in `report.json`.
private let longestMessage = 64 * 1024

/// What the template `issue` asks for.
func issueValues(_ issue: TestIssue, number: String?, in context: PageContext) -> TemplateValues {
  let operands = NamedOperands(of: issue, sources: context.contents.sources)
  let difference = FailureMessage(issue.message).difference?.naming(operands)
  return [
    "number": number,
    "style": issue.style,
    "label": issue.label,
    "location": issue.location.map { visibleOnOneLine($0.text) }, "placeNote": issue.placeNote,
    "place": issue.location.map { context.placeValues($0, text: $0.text) },
    // The sides of a comparison say the same with their values.
    "headline": operands == nil ? difference?.headline : nil,
    "note": operands == nil ? difference?.note : difference?.note.flatMap(withoutDifference),
    "diff": difference.map { diffValues($0, lines: $0.lines, operands) },
    "distance": MessageValue.differenceText(in: issue.message),
    "message": shortened(issue.message, to: longestMessage),
    "excerpt": issue.location.flatMap { context.contents.sources[$0] }.map(excerptValues),
  ]
}

/// A note without the lines in which Swift Testing tells what the two values differ in: they stand beside it.
private func withoutDifference(_ note: String) -> String? {
  let lines = textLines(of: note).filter { line in
    !["inserted [", "removed ["].contains { line.hasPrefix($0) }
  }
  let text = lines.joined(separator: "\n").trimmed
  return text.isEmpty ? nil : text
}

extension TestIssue {
  /// What a page calls it.
  var label: String { isFailure ? "Issue" : isKnown ? "Known issue" : "Warning" }
  var style: String { isFailure ? "failed" : isKnown ? "knownIssue" : "warning" }
}

/// The beginning of a text on one line, behind what Swift Testing says of every issue that is recorded by hand.
func glance(_ text: String) -> String {
  visibleOnOneLine(shortened(firstLine(words(of: text)), to: 240))
}

/// The same of an issue: where it was recorded without a word, its source line.
func glance(_ issue: TestIssue, _ sources: [SourceReference: SourceExcerpt]) -> String {
  guard wordsOfIssue(issue.message)?.isEmpty == true, let excerpt = issue.location.flatMap({ sources[$0] }),
    excerpt.lines.indices.contains(excerpt.markedLine - excerpt.firstLine)
  else { return glance(issue.message) }
  return glance(excerpt.lines[excerpt.markedLine - excerpt.firstLine].trimmed)
}

private func words(of message: String) -> String {
  wordsOfIssue(message).flatMap { $0.isEmpty ? nil : $0 } ?? message
}

/// What follows “Issue recorded”; `nil` for any other message.
private func wordsOfIssue(_ message: String) -> String? {
  guard message.hasPrefix("Issue recorded") else { return nil }
  var rest = message.dropFirst("Issue recorded".count)
  for severity in [" (error)", " (warning)"] where rest.hasPrefix(severity) {
    rest = rest.dropFirst(severity.count)
  }
  guard rest.first.map({ $0 == ":" || $0.isNewline }) ?? true else { return nil }
  return String(rest.dropFirst()).trimmed
}

private func excerptValues(_ excerpt: SourceExcerpt) -> TemplateValues {
  let lines: [TemplateValues] = excerpt.withoutCommonIndentation.enumerated().map { index, text in
    let number = excerpt.firstLine + index
    return ["number": number, "text": text, "isMarked": number == excerpt.markedLine]
  }
  return ["lines": lines]
}
