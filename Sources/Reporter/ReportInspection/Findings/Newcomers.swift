import ExhibitSQLite

/// The rows that the test wrote, if few enough to compare with the others.
///
/// If it wrote more than a fifth of the table, only the rows of its last step count.
struct Newcomers {
  private let rows: [RowKey: WrittenRows.Writing]
  private let onlyStep: Int?

  /// The fewest other rows to compare with.
  static let fewestOthers = 20

  init?(_ scan: TableScan, _ written: WrittenRows) {
    guard let rows = written.rows[scan.table.name], !written.isPartial, !scan.isCut else { return nil }
    func areFew(_ count: Int) -> Bool {
      count > 0 && count * 5 <= scan.rows && scan.rows - count >= Self.fewestOthers
    }
    if areFew(scan.written) {
      onlyStep = nil
    } else if let last = written.lastStep, areFew(scan.writtenLast) {
      onlyStep = last
    } else {
      return nil
    }
    self.rows = rows
  }

  subscript(key: RowKey?) -> WrittenRows.Writing? {
    guard let writing = key.flatMap({ rows[$0] }), onlyStep == nil || writing.step == onlyStep else {
      return nil
    }
    return writing
  }
}
