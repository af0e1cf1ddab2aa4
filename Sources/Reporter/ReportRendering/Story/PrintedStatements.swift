import Collector
import ExhibitSQLite
import ReportModel
import ReportPlaces
import ReportStory

/// Each distinct statement at each place in the code once, for documents that have no room for all steps.
extension PrintedStory {
  /// The scalars of a statement, and of a row.
  private static let (longestExample, longestRow) = (420, 180)

  /// Those that failed first, the others in the order in which they first ran; where there is no room for all, the last ones.
  ///
  /// - Returns: The lines, and by statement the step that tells it.
  func statements(bytes: Int) -> (lines: [TerminalLine], known: [String: Int]) {
    let title = TerminalLine("Each statement at each place once, with one of its runs:", .strong)
    let named = Set(story.tellingNumbers)
    func rank(_ runs: StatementRuns) -> Int {
      runs.failed > 0 ? 0 : named.contains(runs.example.number) ? 1 : 2
    }
    let all = story.statements
    let order = all.indices.sorted { (rank(all[$0]), -$0) < (rank(all[$1]), -$1) }
    var (room, shown): (Int, [Int: [TerminalLine]]) = (bytes - title.text.utf8.count, [:])
    for index in order {
      let lines = lines(of: all[index])
      let size = lines.reduce(0) { $0 + $1.text.utf8.count + 1 }
      guard size <= room else { continue }
      room -= size
      shown[index] = lines
    }
    let told = shown.keys.sorted { (all[$0].failed == 0 ? 1 : 0, $0) < (all[$1].failed == 0 ? 1 : 0, $1) }
    let left = all.count - told.count
    let rest = left > 0 ? [TerminalLine("  … \(counted(left, "more statement"))", .soft)] : []
    return (
      [title] + told.flatMap { shown[$0] ?? [] } + rest,
      Dictionary(
        told.map { (all[$0].example.statement, all[$0].example.number) },
        uniquingKeysWith: { first, _ in first })
    )
  }

  private func lines(of runs: StatementRuns) -> [TerminalLine] {
    let step = runs.example
    let facts = [
      runs.times > 1 ? "\(grouped(runs.times)) times" : nil,
      totalsText(rows: runs.rows, changed: runs.changed) ?? (runs.failed == runs.times ? nil : "no rows"),
      runs.idle > 0 && runs.idle + runs.failed < runs.times ? "none in \(grouped(runs.idle))" : nil,
      runs.failed > 0 ? "failed\(runs.failed < runs.times ? " in \(grouped(runs.failed))" : "")" : nil,
      step.undone == .failed ? nil : step.undoneText, step.stack?.place?.reference?.shortText,
    ]
    let statement = shortened(Self.onOneLine(step.statement), to: Self.longestExample)
    var lines = [
      TerminalLine(
        "  \(padded(step.label, to: 4, with: " "))  \(statement)  → \(joined(facts, by: ", ") ?? "")",
        runs.failed > 0 ? .odd : step.isReadOnly ? .soft : .plain)
    ]
    lines += step.remarks.prefix(1).map { TerminalLine("        ! \(shortened($0, to: 200))", .odd) }
    if let changes = step.changes.first ?? step.consequences.first {
      lines += self.lines(of: changes, step, in: step.database, indent: "        ").prefix(1)
    } else if let row = step.results.first {
      lines.append(TerminalLine("        " + row.prefix(8).map(printedValue).joined(separator: " | ")))
    }
    return [lines[0]]
      + lines.dropFirst().map { TerminalLine(shortened($0.text, to: Self.longestRow), $0.style) }
  }
}
