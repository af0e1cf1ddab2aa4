import ReportInspection
import ReportModel

/// Findings as lines of text, for the terminal and for Markdown.
struct PrintedFinding {
  let finding: Finding
  /// The databases that have it, where there are several.
  var databases: String?
  /// What the check says line by line, of damage.
  var details: [String] = []

  var lines: [TerminalLine] {
    let told = joined([databases, finding.originText], by: ", ").map { " (\($0))" } ?? ""
    let style: TerminalStyle = finding.isFolded ? .soft : finding.kind == .damage ? .failed : .odd
    var lines = [TerminalLine("! \(finding.sentence)\(told)", style)]
    lines += details.map { TerminalLine("    \($0)") }
    lines += finding.shownRows.map { TerminalLine("    \(Self.text(of: $0))") }
    if let omitted = finding.omittedText { lines.append(TerminalLine("    … \(omitted)", .soft)) }
    return lines + [TerminalLine("    \(finding.remedy)", .soft)]
  }

  /// `row 7: total '12,50' (step 3)`.
  private static func text(of row: Finding.Row) -> String {
    let values = row.values.map { "\(shownName($0.column)) \(printedValue($0.cell))" }
    let told = values.isEmpty ? "" : ": " + values.joined(separator: ", ")
    return (row.key?.shown ?? "a row") + told + (row.writing.map { " (\($0.text))" } ?? "")
  }
}

extension TestFindings {
  /// Those that a reader sees at once, and how many more there are.
  var lines: [TerminalLine] {
    var lines = leading.flatMap { PrintedFinding(finding: $0.finding, databases: databases(of: $0)).lines }
    if !folded.isEmpty {
      let more = leading.isEmpty ? "finding" : "more finding"
      lines.append(
        TerminalLine("\(counted(folded.count, more)), \(foldedText(folded.map(\.finding)))", .soft))
    }
    return lines + unexamined.map { TerminalLine($0, .soft) }
  }
}
