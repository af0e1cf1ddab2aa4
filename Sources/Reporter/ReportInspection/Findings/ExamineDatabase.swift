import ExhibitSQLite
import ReportModel

/// Finds suspicious content in a captured database.
///
/// The file is untrusted (see `InspectionConnection`). Limits count rows and steps, so that findings are equal on every
/// machine.
///
/// - Parameters:
///   - inspection: The result of `inspectDatabase`.
///   - rows: True when values and keys may be shown.
///   - written: Rows known to be written by the test, needed by some kinds.
/// - Returns: Findings without origins; see `DatabaseFindings.compared`.
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
  // The inspection reports unreadable parts.
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
    if let store = inspection.coreData { found.findings += coreDataFindings(store, &found.unexamined) }
    let tables = inspection.tables.filter { $0.kind != .virtual && !$0.isOfSQLite }.map(\.name)
    // Written tables come first, before a limit.
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
