import ExhibitCSQLite
import ExhibitSQLite

/// One pass over a table that collects what findings need.
struct TableScan {
  let table: ExaminedTable
  private(set) var profiles: [ColumnProfile]
  private(set) var rows = 0
  private(set) var written = 0
  private(set) var writtenLast = 0
  private(set) var isCut = false
  private(set) var keys: [FoldedKeys]
  private(set) var contents: AlikeRows?

  init(_ table: ExaminedTable, _ kinds: Set<Finding.Kind>) {
    self.table = table
    profiles = Array(repeating: ColumnProfile(), count: table.columns.count)
    keys = kinds.contains(.equalKeys) ? FoldedKeys.all(of: table) : []
    contents = kinds.contains(.equalRows) ? AlikeRows(table) : nil
  }

  mutating func run(_ examination: Examination) throws(SQLiteError) {
    let statement = try examination.connection.prepare(table.query)
    let (first, own) = (table.firstColumn, examination.written.rows[table.name])
    let lastStep = examination.written.lastStep
    let names = table.columns.map(\.name)
    while try statement.step() {
      guard rows < examination.limits.examinedRows else {
        isCut = true
        break
      }
      rows += 1
      let writing = own.flatMap { own in table.key(of: statement).flatMap { own[$0] } }
      if let writing {
        written += 1
        if writing.step == lastStep { writtenLast += 1 }
      }
      for column in profiles.indices {
        let place = first + Int32(column)
        let concerned = writing.flatMap { $0.concerns(names[column]) ? $0 : nil }
        profiles[column].note(statement, at: place, concerned) {
          Finding.Row(
            key: table.key(of: statement),
            values: [
              .init(
                column: names[column], cell: statement.cell(at: place, limit: examination.limits.cellBytes))
            ])
        }
      }
      for key in keys.indices { keys[key].note(statement, first) }
      contents?.note(statement, first)
    }
  }
}

extension TableScan {
  mutating func alike(_ examination: Examination) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for index in keys.indices {
      findings += try keys[index].findings(of: table, examination)
    }
    return try findings + (contents?.findings(of: table, examination) ?? [])
  }
}
