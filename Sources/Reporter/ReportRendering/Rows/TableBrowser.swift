import Collector
import ReportInspection
import ReportModel
import ReportStory

/// The values for the template `database` where a script can show all rows; `nil` where there are none.
///
/// - Parameters:
///   - number: The number of the evidence, by which addresses name the database.
///   - isBefore: True for the state that the test started from.
///   - used: The tables that the test used; `nil` where nobody knows.
func tableBrowserValues(
  _ evidence: TestEvidence, number: Int, of test: TestResult, isBefore: Bool = false,
  using used: UsedTables?, in context: PageContext
) -> TemplateValues? {
  let baseline = evidence.baseline.flatMap { rowsID(of: $0, in: context) }
  guard let id = isBefore ? baseline : evidence.path.flatMap({ rowsID(of: $0, in: context) }) else {
    return nil
  }
  let hasMarks =
    !isBefore && context.single?.marked.contains(test.id) != false
    && RowMarks(evidence, of: test, in: context.contents) != nil
  let hasStates = !isBefore && context.contents.hasStates(evidence, of: test)
  let used = (used?.names ?? []).filter { !$0.contains("\n") }
  return [
    "id": id, "number": isBefore ? "\(number)-before" : "\(number)",
    "part": context.single?.anchors[test.id], "base": context.base,
    "used": used.isEmpty ? nil : used.joined(separator: "\n"),
    "marks": hasMarks ? context.names.stem(of: test) : nil,
    "states": hasStates ? statesPath(of: test, in: context) : nil,
    "baseline": isBefore ? nil : baseline,
  ]
}

/// True when the page has the rows of a database, as many as fit.
func hasRows(_ path: String, in context: PageContext) -> Bool { rowsID(of: path, in: context) != nil }

/// The one file has those that fit.
private func rowsID(of path: String, in context: PageContext) -> String? {
  (context.single?.rowIDs ?? context.contents.rowIDs)[path]
}
