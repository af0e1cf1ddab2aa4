import Collector
import ReportInspection
import ReportModel
import ReportPlaces
import ReportStory

/// In scalars; `report.json` has the whole.
private let longestMessage = 64 * 1024

/// Values for template `issue`.
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
    // The diff already names the operands.
    "headline": operands == nil ? difference?.headline : nil,
    "note": operands == nil ? difference?.note : difference?.note.flatMap(withoutDifference),
    "diff": difference.map { diffValues($0, lines: $0.lines, operands) },
    "distance": MessageValue.differenceText(in: issue.message)
      ?? lastReadText(of: issue, context.contents.stories[test.id]),
    "message": shortened(issue.message, to: longestMessage),
    "excerpt": issue.location.flatMap { context.contents.sources[$0] }.map(excerptValues),
    // The line is shown in the story.
    "isToldByLines": context.contents.stories[test.id]?.lines.contains {
      $0.isFailure && $0.place?.reference == issue.location && $0.place?.line != nil
    } == true,
  ]
}

/// Removes the lines of Swift Testing's diff, which is shown anyway.
private func withoutDifference(_ note: String) -> String? {
  let lines = textLines(of: note).filter { line in
    !["inserted [", "removed ["].contains { line.hasPrefix($0) }
  }
  let text = lines.joined(separator: "\n").trimmed
  return text.isEmpty ? nil : text
}

extension TestIssue {
  var label: String { isFailure ? "Issue" : isKnown ? "Known issue" : "Warning" }
  var style: String { isFailure ? "failed" : isKnown ? "knownIssue" : "warning" }
}

/// A text's beginning on one line, without Swift Testing's “Issue recorded”.
func glance(_ text: String) -> String {
  visibleOnOneLine(shortened(firstLine(words(of: text)), to: 240))
}

/// An issue in brief: its message, or else its source line.
func glance(_ issue: TestIssue, _ sources: [SourceReference: SourceExcerpt]) -> String {
  guard wordsOfIssue(issue.message)?.isEmpty == true, let excerpt = issue.location.flatMap({ sources[$0] }),
    excerpt.lines.indices.contains(excerpt.markedLine - excerpt.firstLine)
  else { return glance(issue.message) }
  return glance(excerpt.lines[excerpt.markedLine - excerpt.firstLine].trimmed)
}

private func words(of message: String) -> String {
  wordsOfIssue(message).flatMap { $0.isEmpty ? nil : $0 } ?? message
}

/// The text after “Issue recorded”, if it begins so.
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

/// A test's issues without duplicates, divided between page and data file.
struct IssueList {
  struct Entry {
    var issue: TestIssue
    /// The first one's position, from 1.
    var number: Int
    var count: Int

    /// `7`, or `7, 12 times`.
    var numbering: String { count == 1 ? "\(number)" : "\(number), \(grouped(count)) times" }
  }

  private static let mostOnAPage = 100

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
    let ordered = entries.filter(\.issue.isCrash) + entries.filter { !$0.issue.isCrash }
    leading = ordered.prefix(Self.mostOnAPage)
    further = ordered.dropFirst(Self.mostOnAPage)
  }

  var furtherCount: Int { further.reduce(0) { $0 + $1.count } }
}

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

private func furtherIssuesPath(of test: TestResult, in context: PageContext) -> String? {
  context.names.stem(of: test).map { "data/issues/\($0).js" }
}

/// Issues beyond the page, for `issues.js`.
///
/// It calls `exhibit.addIssues([…])` with style, label and number, place or 0, and message of each.
func furtherIssuesFile(of test: TestResult, in context: PageContext) -> ReportFile? {
  // Duplicates are merged, so few have further issues.
  guard let path = furtherIssuesPath(of: test, in: context) else { return nil }
  let further = IssueList(test.issuesOfFailure).further
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

private let longestFurtherMessage = 4000
