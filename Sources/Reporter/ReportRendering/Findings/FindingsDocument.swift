import Collector
import ReportInspection

/// Findings in report.json and in the JSON of `reporter inspect`.
extension JSONText {
  /// - Parameter databases: Paths of the databases that have it; `nil` where the document is about one.
  mutating func write(_ finding: Finding, databases: [String]?) {
    object { json in
      json.array("columns", finding.columns) { $0.element($1) }
      json.member("count", finding.count)
      if let databases { json.array("databases", databases) { $0.element($1) } }
      json.member("folded", finding.isFolded)
      json.member("gathers", finding.gathers)
      json.member("hasMore", finding.hasMore)
      json.member("kind", finding.kind.rawValue)
      json.member("omitted", finding.omitted)
      json.member("origin", finding.origin.rawValue)
      json.member("remedy", finding.remedy)
      json.array("rows", finding.rows) { $0.write($1) }
      json.member("sentence", finding.sentence)
      json.member("table", finding.table)
      json.array("triggers", finding.triggers) { $0.element($1) }
    }
  }

  private mutating func write(_ row: Finding.Row) {
    object { json in
      json.array("key", row.key?.values ?? []) { $0.write(nil, $1) }
      json.member("step", row.writing?.step)
      json.array("values", row.values) { json, value in
        json.object { json in
          json.member("column", value.column)
          json.write("value", value.cell)
        }
      }
      json.member("written", row.writing != nil)
    }
  }
}
