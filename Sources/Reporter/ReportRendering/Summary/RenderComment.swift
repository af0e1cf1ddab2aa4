import ReportModel

/// `comment.md` for a pull or merge request: at most 25 lines and 60,000 characters.
///
/// The first line is a marker for finding and updating the comment, the last says where the report is.
package func renderComment(_ context: PageContext) -> ReportFile {
  let report = context.contents.report
  let failures = SummaryFailures(context: context)
  var text = commentMarker(of: report.title) + "\n" + summaryHead(context, heading: "###")
  if let first = report.faults.first {
    let rest = report.faults.count > 1 ? ", \(counted(report.faults.count - 1, "more reason"))" : ""
    let sentence = shortened(rest.isEmpty ? first.message : withoutFullStop(first.message), to: 300)
    text += "**This report is incomplete:** \(prose(sentence))\(rest)\n\n"
  }
  let entries = failures.entries(most: 5, MarkdownRoom(bytes: mostBytes - text.utf8.count, lines: 14))
  if !entries.text.isEmpty { text += entries.text + "\n" }
  let rest = context.counts.failures - entries.told
  text += (rest > 0 ? "\(counted(rest, "more failure")). " : "") + whereAllIs(context) + "\n"
  return ReportFile(path: "comment.md", text: text)
}

/// A hidden line that identifies the report.
private func commentMarker(of title: String) -> String {
  let name = title.unicodeScalars.map { scalar in
    scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? String(scalar) : "_"
  }
  return "<!-- exhibit report: \(name.prefix(100).joined()) -->"
}

/// GitHub's limit is 65,536 characters.
private let mostBytes = 50_000
