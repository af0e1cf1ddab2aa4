import ReportModel

/// The report as `comment.md`, the comment on a pull or merge request: at most 25 lines and 60,000 characters.
///
/// Its first line is a marker, by which whoever posts it finds the comment of an earlier run to update it. The last one says
/// where all is.
package func renderComment(_ context: PageContext) -> ReportFile {
  let report = context.contents.report
  let failures = SummaryFailures(context: context)
  var text = commentMarker(of: report.title) + "\n" + summaryHead(context, heading: "###")
  if let first = report.faults.first {
    let rest = report.faults.count > 1 ? ", \(counted(report.faults.count - 1, "more reason"))" : ""
    text += "**This report is incomplete:** \(codeSpan(shortened(first.message, to: 300)))\(rest)\n\n"
  }
  let entries = failures.entries(most: 5, MarkdownRoom(bytes: mostBytes - text.utf8.count, lines: 14))
  if !entries.text.isEmpty { text += entries.text + "\n" }
  let rest = context.counts.failures - entries.told
  text += (rest > 0 ? "\(counted(rest, "more failure")). " : "") + whereAllIs(context) + "\n"
  return ReportFile(path: "comment.md", text: text)
}

/// A line that a reader does not see, which tells the comments of two reports apart.
private func commentMarker(of title: String) -> String {
  let name = title.unicodeScalars.map { scalar in
    scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? String(scalar) : "_"
  }
  return "<!-- exhibit report: \(name.prefix(100).joined()) -->"
}

/// GitHub takes 65,536 characters; no character has less than a byte.
private let mostBytes = 50_000
