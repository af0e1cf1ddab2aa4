import ExhibitSQLite
import ReportModel

extension Examination {
  /// Triggers of one event that write the same, so that the result hangs on the order in which they run.
  ///
  /// Source: https://www.sqlite.org/lang_createtrigger.html, which leaves the order open.
  func conflictingTriggers(_ unexamined: inout [String]) -> [Finding] {
    connection.allow(steps: limits.tableSteps)
    var triggers: [(name: String, table: String, program: TriggerProgram)] = []
    do {
      let statement = try connection.prepare(
        "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
      while try statement.step() {
        guard triggers.count < limits.schemaObjects else {
          unexamined.append("Only the first \(counted(triggers.count, "trigger")) were looked at.")
          break
        }
        let sql = statement.text(at: 2, limit: limits.statementBytes) ?? ""
        triggers.append(
          (
            statement.text(at: 0, limit: 1000) ?? "", statement.text(at: 1, limit: 1000) ?? "",
            TriggerProgram(sql)
          ))
      }
    } catch {
      unexamined.append("The triggers were not looked at: \(error.message).")
    }
    var findings: [Finding] = []
    for (index, one) in triggers.enumerated() {
      for two in triggers[(index + 1)...] where two.table.lowercased() == one.table.lowercased() {
        guard findings.count < Finding.mostRows, let conflict = one.program.conflict(with: two.program) else {
          continue
        }
        findings.append(finding(one, two, conflict))
      }
    }
    return findings
  }

  private func finding(
    _ one: (name: String, table: String, program: TriggerProgram),
    _ two: (name: String, table: String, program: TriggerProgram),
    _ conflict: (table: String, columns: Set<String>)
  ) -> Finding {
    let written = shownName(conflict.table)
    let columns = conflict.columns.sorted().map { "\(written).\(shownName($0))" }.joined(separator: ", ")
    return Finding(
      kind: .conflictingTriggers, table: one.table, triggers: [one.name, two.name],
      detail: conflict.table,
      sentence:
        "The triggers \(shownName(one.name)) and \(shownName(two.name)) both run \(one.program.time) \(one.program.event) on \(shownName(one.table)) and write \(columns.isEmpty ? written : columns).",
      remedy: "SQLite does not define which runs first: make one trigger of both.")
  }
}
