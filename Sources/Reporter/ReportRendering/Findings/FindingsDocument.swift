import Collector
import ReportInspection

/// Findings in report.json and in the JSON of `reporter inspect`.
extension JSONText {
  /// - Parameter databases: Paths of the databases that have it; `nil` where the document is about one.
  mutating func write(_ finding: Finding, databases: [String]?) {
    array("columns", finding.columns) { $0.element($1) }
    member("count", finding.count)
    if let databases { array("databases", databases) { $0.element($1) } }
    member("folded", finding.isFolded)
    member("gathers", finding.gathers)
    member("hasMore", finding.hasMore)
    member("kind", finding.kind.rawValue)
    member("omitted", finding.omitted)
    member("origin", finding.origin.rawValue)
    member("remedy", finding.remedy)
    objects("rows", finding.rows) { json, row in
      json.array("key", row.key?.values ?? []) { $0.write(nil, $1) }
      json.member("step", row.writing?.step)
      json.objects("values", row.values) { json, value in
        json.member("column", value.column)
        json.write("value", value.cell)
      }
      json.member("written", row.writing != nil)
    }
    member("sentence", finding.sentence)
    member("table", finding.table)
    array("triggers", finding.triggers) { $0.element($1) }
  }

}
