import ExhibitSQLite
import ReportModel

extension Examination {
  func findings(in name: String, _ unexamined: inout [String]) -> [Finding] {
    var findings: [Finding] = []
    do {
      connection.allow(steps: limits.examinedSteps)
      let table = ExaminedTable(try schema.read(name))
      var scan = TableScan(table, kinds)
      do {
        try scan.run(self)
      } catch {
        // With a limit of steps, the rows read are the same on every machine.
        unexamined.append(connection.sentence("Not all rows of \(shownName(name)) were looked at", error))
        guard connection.exceeded == .steps else { return [] }
        return columnFindings(scan)
      }
      if scan.isCut {
        unexamined.append(
          "Only the first \(counted(limits.examinedRows, "row")) of \(shownName(name)) were looked at.")
      }
      findings += columnFindings(scan)
      findings += try scan.alike(self)
      findings += try new(scan)
    } catch {
      unexamined.append(connection.sentence("\(shownName(name)) was not looked at to the end", error))
    }
    return findings
  }

  private func columnFindings(_ scan: TableScan) -> [Finding] {
    zip(scan.table.columns, scan.profiles).flatMap { column, profile in
      ColumnFindings(examination: self, table: scan.table.name, column: column, profile: profile).all()
    }
  }

  private func new(_ scan: TableScan) throws(SQLiteError) -> [Finding] {
    guard let newcomers = Newcomers(scan, written) else { return [] }
    var outliers = kinds.contains(.outlier) ? Outliers(scan) : nil
    var duplicates = kinds.contains(.newDuplicate) ? NewDuplicates.all(of: scan.table) : []
    guard outliers != nil || !duplicates.isEmpty else { return [] }
    try forEachRow(of: scan.table) { statement, _ in
      outliers?.note(statement, self, newcomers)
      for index in duplicates.indices { duplicates[index].note(statement, newcomers) }
    }
    var findings = outliers?.findings(self) ?? []
    for index in duplicates.indices { findings += duplicates[index].findings(self) }
    return findings
  }
}
