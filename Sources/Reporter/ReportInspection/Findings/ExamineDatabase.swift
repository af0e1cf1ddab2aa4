import ExhibitSQLite
import ReportModel

/// Looks for what is suspicious in a captured database.
///
/// The file is untrusted: see `InspectionConnection`. The same file gives the same findings on every machine, as limits
/// count rows and steps.
///
/// - Parameters:
///   - path: the file; nothing beside it is looked at.
///   - inspection: the result of `inspectDatabase`, with the two checks that it ran.
///   - rows: True when values and keys may be told.
///   - kinds: the kinds to look for.
///   - written: the rows that the test is known to have written; some kinds are about such rows alone.
/// - Returns: the findings, for any file; origins are told by `DatabaseFindings.compared`.
package func examineDatabase(
  at path: String, _ inspection: DatabaseInspection, rows: Bool,
  kinds: Set<Finding.Kind> = Finding.Kind.standard, written: WrittenRows = WrittenRows(),
  limits: InspectionLimits = InspectionLimits()
) -> DatabaseFindings {
  var found = DatabaseFindings()
  if kinds.contains(.damage) { found.findings += damage(in: inspection) }
  if inspection.check.contains("not finished") {
    found.unexamined.append("quick_check was \(inspection.check.split(separator: "\n").last ?? "").")
  }
  found.unexamined += inspection.foreignKeys.problems + inspection.ofTheApp
  // The inspection has said what cannot be read.
  guard !inspection.tables.isEmpty else { return found }
  do {
    let connection = try InspectionConnection(path: path, limits: limits)
    let examination = Examination(
      connection: connection, schema: inspection.schema, tellsRows: rows, kinds: kinds, written: written,
      limits: limits)
    examination.look(at: inspection, &found)
    found.isCutByTime = connection.isOverdue
  } catch {
    found.unexamined.append("SQLite cannot read the file: \(error.message).")
  }
  found.sort()
  return found
}

extension Examination {
  fileprivate func look(at inspection: DatabaseInspection, _ found: inout DatabaseFindings) {
    if kinds.contains(.brokenForeignKey) { found.findings += brokenForeignKeys(inspection.foreignKeys) }
    let tables = inspection.tables.filter { $0.kind != .virtual && !$0.isOfSQLite }.map(\.name)
    // The tables that the test wrote come first, before a limit is reached.
    let ordered = tables.filter { written.rows[$0] != nil } + tables.filter { written.rows[$0] == nil }
    for (place, table) in ordered.enumerated() {
      let all = findings(in: table, &found.unexamined)
      found.findings += all.prefix(limits.tableFindings)
      if all.count > limits.tableFindings {
        let more = counted(all.count - limits.tableFindings, "more finding")
        found.unexamined.append("\(shownName(table)) has \(more).")
      }
      let left = ordered.count - place - 1
      if left > 0, connection.isSpent || found.findings.count >= limits.findings {
        found.unexamined.append("\(counted(left, "more table was", "more tables were")) not looked at.")
        break
      }
    }
    if kinds.contains(.conflictingTriggers) { found.findings += conflictingTriggers(&found.unexamined) }
  }
}
