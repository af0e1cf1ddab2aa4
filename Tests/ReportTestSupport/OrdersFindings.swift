import ExhibitSQLite

@testable import ReportInspection

/// What is suspicious in the shop's orders: of the last step, of the test, of nobody known, and from before.
let ordersFindings = DatabaseFindings(
  findings: [
    Finding(
      kind: .numberAsText, weight: .strong, table: "order", columns: ["total"],
      sentence: "order.total holds a number as text in row 1 ('116,91') and 12 more rows, among 115 numbers.",
      rows: [
        .init(
          key: .rowid(1), values: [.init(column: "total", cell: .text("116,91"))],
          writing: .init(step: 24)),
        .init(
          key: .rowid(7), values: [.init(column: "total", cell: .text("1 000"))],
          writing: .init(step: 99)),
        .init(key: .rowid(128), values: [.init(column: "total", cell: .text(""))]),
      ], count: 13, writing: .init(step: 24),
      remedy: "Bind it as a number, and declare the column STRICT so that SQLite refuses the text.",
      origin: .lastStep),
    Finding(
      kind: .brokenForeignKey, weight: .strong, table: "order", columns: ["customer"], detail: "customer",
      sentence: "order.customer refers to no row of customer in row 12 (42).",
      rows: [
        .init(key: .rowid(12), values: [.init(column: "customer", cell: .integer(42))], writing: .init())
      ],
      count: 1, hasMore: true, writing: .init(),
      remedy: "Look for a row of customer that was deleted or never written.", origin: .test),
    Finding(
      kind: .foreignWAL, weight: .strong, sentence: "The WAL beside orders.sqlite is another database's.",
      remedy: "Remove -wal and -shm before another file takes the database's place."),
    Finding(
      kind: .nullBesideEmpty, table: "customer", columns: ["note"],
      sentence: "customer.note is empty in row 3 and NULL in row 2.",
      rows: [
        .init(key: .rowid(3), values: [.init(column: "note", cell: .text(""))]),
        .init(key: .rowid(2), values: [.init(column: "note", cell: .null)]),
      ], count: 2, remedy: "Write one of both."),
    Finding(
      kind: .equalKeys, table: "setting", columns: ["key"],
      sentence: "setting.key has keys that differ in case alone: row 'rate' and row 'Rate'.",
      rows: [
        .init(key: .values([.text("rate")])),
        .init(key: .values([.text("Rate")])),
      ], count: 2, remedy: "Declare the column COLLATE NOCASE.", origin: .baseline),
  ], unexamined: ["Only the first 1,000,000 rows of audit were looked at."])

/// Findings whose every text is meant to break out of where it is shown.
func findings(of hostile: String) -> DatabaseFindings {
  func finding(_ origin: Finding.Origin) -> Finding {
    Finding(
      kind: .outlier, table: hostile, columns: [hostile], triggers: [hostile], detail: "\(origin)",
      sentence: hostile,
      rows: [
        .init(
          key: .values([.text(hostile), .blob([0, 27], of: 99)]),
          values: [.init(column: hostile, cell: .text(hostile, whole: .init(bytes: 99_999)))],
          writing: .init(step: 1)),
        .init(values: [.init(column: "other", cell: .real(-.infinity))]),
      ], count: .max, remedy: hostile, origin: origin)
  }
  return DatabaseFindings(findings: Finding.Origin.allCases.map(finding), unexamined: [hostile])
}
