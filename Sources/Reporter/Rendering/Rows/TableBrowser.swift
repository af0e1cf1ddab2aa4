import Collector

/// What the template `database` asks for where a script can show all rows; `nil` where there are none.
func tableBrowserValues(
  _ evidence: TestEvidence, number: Int, of test: TestResult, in context: PageContext
) -> TemplateValues? {
  // The one file has the first rows alone.
  guard context.single == nil, let path = evidence.path, let id = context.contents.rowIDs[path] else {
    return nil
  }
  let hasMarks = RowMarks(evidence, of: test, in: context.contents) != nil
  return [
    "id": id, "number": number, "base": context.base,
    "marks": hasMarks ? context.names.stem(of: test) : nil,
    "states": hasStates(evidence, of: test, in: context) ? statesPath(of: test, in: context) : nil,
    "baseline": evidence.database?.baseline.flatMap { context.contents.rowIDs[$0] },
  ]
}
