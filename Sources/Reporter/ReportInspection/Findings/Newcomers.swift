import ExhibitSQLite

/// The rows that came into a table, as far as the others can be taken for what is usual.
///
/// All that the test wrote, or only what its last step wrote, where it wrote more than a fifth of the table itself.
struct Newcomers {
  private let rows: [RowKey: WrittenRows.Writing]
  private let onlyStep: Int?

  /// Other rows from which on something can be said of a new one.
  static let fewestOthers = 20

  /// - Returns: `nil` where nothing can be said.
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

  /// The write of a row that came in; `nil` for one of the others.
  subscript(key: RowKey?) -> WrittenRows.Writing? {
    guard let writing = key.flatMap({ rows[$0] }), onlyStep == nil || writing.step == onlyStep else {
      return nil
    }
    return writing
  }
}
