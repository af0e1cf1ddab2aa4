import Collector
import ReportInspection
import ReportModel
import ReportStory

/// The values for the template `database` where a script can show all rows; `nil` where there are none.
///
/// - Parameters:
///   - number: The number of the evidence, by which addresses name the database.
///   - isBefore: True for the state that the test started from.
func tableBrowserValues(
  _ evidence: TestEvidence, number: Int, of test: TestResult, isBefore: Bool = false, in context: PageContext
) -> TemplateValues? {
  let baseline = evidence.database?.baseline.flatMap { rowsID(of: $0, in: context) }
  guard let id = isBefore ? baseline : evidence.path.flatMap({ rowsID(of: $0, in: context) }) else {
    return nil
  }
  let hasMarks =
    !isBefore && context.single?.marked.contains(test.id) != false
    && RowMarks(evidence, of: test, in: context.contents) != nil
  let hasStates = !isBefore && context.contents.hasStates(evidence, of: test)
  return [
    "id": id, "number": isBefore ? "\(number)-before" : "\(number)",
    "part": context.single?.anchors[test.id], "base": context.base,
    "used": usedTables(evidence, of: test, in: context.contents),
    "marks": hasMarks ? context.names.stem(of: test) : nil,
    "states": hasStates ? statesPath(of: test, in: context) : nil,
    "baseline": isBefore ? nil : baseline,
  ]
}

/// The names of the tables that the test used, those next to the failure first, a line for each; `nil` without any.
private func usedTables(_ evidence: TestEvidence, of test: TestResult, in contents: ReportContents) -> String?
{
  guard let database = evidence.path.flatMap({ contents.databases[$0] }),
    let used = contents.stories[test.id]?.usedTables(of: evidence.source)
  else { return nil }
  let names = Dictionary(database.tables.map { ($0.name.lowercased(), $0.name) }) { first, _ in first }
  let told = used.compactMap { names[$0] }.filter { !$0.contains("\n") }
  return told.isEmpty ? nil : told.joined(separator: "\n")
}

/// True when the page has the rows of a database, as many as fit.
func hasRows(_ path: String, in context: PageContext) -> Bool { rowsID(of: path, in: context) != nil }

/// The one file has those that fit.
private func rowsID(of path: String, in context: PageContext) -> String? {
  (context.single?.rowIDs ?? context.contents.rowIDs)[path]
}
