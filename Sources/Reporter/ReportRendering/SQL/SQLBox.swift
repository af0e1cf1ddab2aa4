import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel

/// Values for template `sql`; `nil` when it cannot be queried.
func sqlBoxValues(_ evidence: TestEvidence, number: Int, in context: PageContext) -> TemplateValues? {
  guard let path = evidence.path, let room = context.contents.databasePages[path] else { return nil }
  if context.single != nil {
    return ["reason": "The box for statements is in the report’s folder, beginning at index.html."]
  }
  switch room {
  case .none(let reason):
    return ["reason": "No statements run on it in the page: \(reason). The command below opens it."]
  case .pages(let name, let bytes, _):
    return [
      "reason": nil, "number": number, "pages": "\(context.base)data/pages/\(name)", "bytes": bytes,
      "before": evidence.baseline.flatMap { fileValues($0, in: context) },
      "history": historyValues(evidence, in: context), "viewer": context.base + "viewer.js",
      "examples": examples(context.contents.databases[path]).map { ["statement": $0] as TemplateValues },
    ]
  }
}

/// The raw database and WAL, whose transactions can be queried.
private func historyValues(_ evidence: TestEvidence, in context: PageContext) -> TemplateValues? {
  guard evidence.walTransactions > 0, let raw = evidence.rawWAL,
    let database = fileValues(raw.database, in: context), let wal = fileValues(raw.wal, in: context)
  else { return nil }
  return ["raw": database, "wal": wal, "transactions": evidence.walTransactions]
}

private func fileValues(_ path: String, in context: PageContext) -> TemplateValues? {
  guard case .pages(let name, let bytes, let over)? = context.contents.databasePages[path] else { return nil }
  return [
    "pages": "\(context.base)data/pages/\(name)", "bytes": bytes,
    "over": over.flatMap { fileValues($0, in: context) },
  ]
}

/// True when a page queries databases, which needs WebAssembly.
func hasSQLBox(_ test: TestResult, in context: PageContext) -> Bool {
  guard context.single == nil else { return false }
  return test.evidence.contains { evidence in
    guard let path = evidence.path, case .pages? = context.contents.databasePages[path] else { return false }
    return true
  }
}

private func examples(_ database: DatabaseInspection?) -> [String] {
  let tables = database?.tables.filter { !isHousekeeping($0.name) } ?? []
  let first = tables.first { $0.rowCount ?? 0 > 0 } ?? tables.first
  return (first.map { ["SELECT * FROM \(SQLText.name($0.name))"] } ?? [])
    + ["SELECT type, name, sql FROM sqlite_master"]
}
