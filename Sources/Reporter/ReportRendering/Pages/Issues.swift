import Collector
import ReportInspection
import ReportModel
import ReportPlaces
import ReportStory

/// Longer messages are cut on the page, in scalars; the whole is in `report.json`.
private let longestMessage = 64 * 1024

/// The values for the template `issue`.
func issueValues(
  _ issue: TestIssue, of test: TestResult, number: String?, in context: PageContext
) -> TemplateValues {
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
    "distance": MessageValue.differenceText(in: issue.message)
      ?? lastReadText(of: issue, context.contents.stories[test.id]),
    "message": shortened(issue.message, to: longestMessage),
    "excerpt": issue.location.flatMap { context.contents.sources[$0] }.map(excerptValues),
    // What the test did has its lines, this one marked.
    "isToldByLines": context.contents.stories[test.id]?.lines.contains {
      $0.isFailure && $0.place?.reference == issue.location && $0.place?.line != nil
    } == true,
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
  /// The name on a page.
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

/// The text behind “Issue recorded”; `nil` for any other message.
private func wordsOfIssue(_ message: String) -> String? {
  guard message.hasPrefix("Issue recorded") else { return nil }
  var rest = message.dropFirst("Issue recorded".count)
  for severity in [" (error)", " (warning)"] where rest.hasPrefix(severity) {
    rest = rest.dropFirst(severity.count)
  }
  guard rest.first.map({ $0 == ":" || $0.isNewline }) ?? true else { return nil }
  return String(rest.dropFirst()).trimmed
}

/// The lines without the ends of what the marked one stands in.
private func excerptValues(_ excerpt: SourceExcerpt) -> TemplateValues {
  var excerpt = excerpt
  while let last = excerpt.lines.last, excerpt.firstLine + excerpt.lines.count - 1 > excerpt.markedLine,
    ["", "}"].contains(last.trimmed)
  {
    excerpt.lines.removeLast()
  }
  let lines: [TemplateValues] = excerpt.withoutCommonIndentation.enumerated().map { index, text in
    let number = excerpt.firstLine + index
    return ["number": number, "text": text, "isMarked": number == excerpt.markedLine]
  }
  return ["lines": lines]
}

/// The issues of a test, equal ones as one: the first for its page, the rest for a file of data beside it.
struct IssueList {
  struct Entry {
    var issue: TestIssue
    /// The position of the first one among all issues of the test, from 1.
    var number: Int
    /// The number of equal ones.
    var count: Int

    /// Such as `7`, or `7, 12 times`.
    var numbering: String { count == 1 ? "\(number)" : "\(number), \(grouped(count)) times" }
  }

  private static let mostOnAPage = 100

  /// The issues that the page shows whole.
  var leading: ArraySlice<Entry>
  var further: ArraySlice<Entry>

  init(_ issues: [TestIssue]) {
    struct Key: Hashable {
      var message: String
      var location: SourceReference?
      var isFailure: Bool
      var isKnown: Bool
    }
    let groups = issues.enumerated().groups { _, issue in
      Key(
        message: issue.message, location: issue.location, isFailure: issue.isFailure, isKnown: issue.isKnown)
    }
    let entries = groups.map { Entry(issue: $0[0].element, number: $0[0].offset + 1, count: $0.count) }
    leading = entries.prefix(Self.mostOnAPage)
    further = entries.dropFirst(Self.mostOnAPage)
  }

  /// The number of issues that the page does not show, equal ones counted each.
  var furtherCount: Int { further.reduce(0) { $0 + $1.count } }
}

/// The values about the issues that the page does not show; `nil` where it shows all.
func furtherIssuesValues(
  of test: TestResult, _ issues: IssueList, in context: PageContext
) -> TemplateValues? {
  guard !issues.further.isEmpty else { return nil }
  let path = furtherIssuesPath(of: test, in: context)
  let isBeside = path != nil && context.single == nil
  return [
    "count": counted(issues.furtherCount, "more issue"),
    "data": isBeside ? path.flatMap { relativeLink(to: $0, from: context.base) } : nil,
    "place": path.map { "\($0) and report.json" } ?? "report.json",
  ]
}

/// The path of their file in the report; `nil` for a test without a page.
private func furtherIssuesPath(of test: TestResult, in context: PageContext) -> String? {
  context.names.stem(of: test).map { "data/issues/\($0).js" }
}

/// The issues that a test's page does not show, for `issues.js`; `nil` where it shows all.
///
/// It calls `exhibit.addIssues([…])` with a row for each: its style, its label and number, its place or 0, its
/// message.
func furtherIssuesFile(of test: TestResult, in context: PageContext) -> ReportFile? {
  // Equal issues are one entry, so fewer issues have no further ones.
  guard let path = furtherIssuesPath(of: test, in: context) else { return nil }
  let further = IssueList(test.issues).further
  guard !further.isEmpty else { return nil }
  var rows = JSONText(.script)
  rows.array(nil, Array(further)) { rows, entry in
    rows.array { row in
      row.element(entry.issue.style)
      row.element("\(entry.issue.label) \(entry.numbering)")
      let place = entry.issue.location.map { visibleOnOneLine($0.text) }
      if let place { row.element(place) } else { row.element(0) }
      row.element(visible(shortened(entry.issue.message, to: longestFurtherMessage)))
    }
  }
  return ReportFile(
    path: path, contents: Array("exhibit.addIssues(".utf8) + rows.take() + Array(");\n".utf8))
}

/// Scalars of a message; the whole is in `report.json`.
private let longestFurtherMessage = 4000
