import Collector
import ReportModel

/// What the template `database` asks for where a script can show all rows; `nil` where there are none.
///
/// - Parameter number: Of the evidence, by which addresses name the database.
func tableBrowserValues(
  _ evidence: TestEvidence, number: Int, of test: TestResult, in context: PageContext
) -> TemplateValues? {
  guard let path = evidence.path, let id = rowsID(of: path, in: context) else { return nil }
  let hasMarks =
    context.single?.marked.contains(test.id) != false
    && RowMarks(evidence, of: test, in: context.contents) != nil
  return [
    "id": id, "number": String(number), "part": context.single?.anchors[test.id], "base": context.base,
    "marks": hasMarks ? context.names.stem(of: test) : nil,
    "states": context.contents.hasStates(evidence, of: test) ? statesPath(of: test, in: context) : nil,
    "baseline": evidence.database?.baseline.flatMap { rowsID(of: $0, in: context) },
  ]
}

/// The same for the state that the test started from.
func tableBrowserValues(
  ofBaselineOf evidence: TestEvidence, number: Int, of test: TestResult, in context: PageContext
) -> TemplateValues? {
  guard let path = evidence.database?.baseline, let id = rowsID(of: path, in: context) else { return nil }
  return [
    "id": id, "number": "\(number)-before", "part": context.single?.anchors[test.id], "base": context.base,
    "marks": nil, "states": nil, "baseline": nil,
  ]
}

/// Whether the page has all rows of a database.
func hasRows(_ path: String, in context: PageContext) -> Bool { rowsID(of: path, in: context) != nil }

/// The one file has those that fit.
private func rowsID(of path: String, in context: PageContext) -> String? {
  (context.single?.rowIDs ?? context.contents.rowIDs)[path]
}
