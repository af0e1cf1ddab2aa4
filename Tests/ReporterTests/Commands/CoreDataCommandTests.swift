import Foundation
import Testing

@testable import ReportTestSupport

/// What `reporter inspect` and `reporter diff` print of a store of Core Data.
@Suite struct CoreDataCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.database("Store.sqlite", SampleStore.sql())
  }

  private func run(_ arguments: String...) throws -> CommandResult {
    try ReporterProcess.run(arguments, in: folder.path)
  }

  @Test func valuesAreReadAsPeopleReadThem() throws {
    let printed = try run("inspect", "Store.sqlite").output
    #expect(printed.contains("757413000 (2025-01-01 08:30:00 UTC)"))
    #expect(printed.contains("(01020304-0506-0708-090A-0B0C0D0E0F10)") && printed.contains("3 (Novel)"))
    #expect(printed.contains("and 3 of Core Data’s own: Z_PRIMARYKEY, Z_METADATA, Z_MODELCACHE"))
    #expect(!printed.contains("Z_MAX"), "its rows are left out")
  }

  @Test func whatAPropertyListHoldsIsSaid() throws {
    let list =
      "62706c6973743030d1010251615162080b0d000000000000010100000000000000030000000000000000000000000000000f"
    try folder.database("Store.sqlite", "INSERT INTO Z_METADATA VALUES (1, 'U', x'\(list)');")
    let printed = try run("inspect", "Store.sqlite", "--table", "Z_METADATA").output
    #expect(printed.contains("Z_PLIST of row 1\n    1 member\n      a: “b”"))
  }

  @Test func housekeepingIsCountedAndItsRowsStayOut() throws {
    try FileManager.default.copyItem(atPath: folder("Store.sqlite"), toPath: folder("later.sqlite"))
    try folder.database(
      "later.sqlite",
      """
      INSERT INTO ZAUTHOR VALUES (3, 1, 1, 'Cleo', 757413060.0, NULL);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Author';
      """)
    let printed = try run("diff", "Store.sqlite", "later.sqlite").output
    #expect(
      printed.contains("of Core Data’s own") && printed.contains("757413060 (2025-01-01 08:31:00 UTC)"))
    #expect(!printed.contains("Z_MAX"), "\(printed)")
    try folder.database(
      "other.sqlite", SampleStore.sql() + "UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Author';")
    #expect(try run("diff", "Store.sqlite", "other.sqlite").output.contains("Z_MAX"), "nothing else differs")
  }

  /// The last transactions of a WAL, which the sqlite3 shell left open.
  @Test func transactionsOfAWALAreReadTheSame() throws {
    let held = try TestConnection(
      folder("Store.sqlite"), "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;")
    try held.execute(
      """
      BEGIN; UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Author';
      INSERT INTO ZAUTHOR VALUES (3, 1, 1, 'Cleo', 757413060.0, NULL); COMMIT;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'Author';
      """)
    let printed = try run("inspect", "Store.sqlite").output
    #expect(printed.contains("ZBORN 757413060 (2025-01-01 08:31:00 UTC)"))
    #expect(printed.contains("Z_PRIMARYKEY, in which Core Data keeps something for itself"))
    #expect(!printed.contains("~ Z_PRIMARYKEY"))
  }

  /// Columns without a value, and with one in all rows, come behind those that tell rows apart.
  @Test func aWideTableBeginsWithWhatTells() throws {
    let columns = (0..<180).map { "ZC\($0) VARCHAR" }.joined(separator: ", ")
    try folder.database(
      "wide.sqlite",
      """
      CREATE TABLE wide (Z_PK INTEGER PRIMARY KEY, \(columns));
      INSERT INTO wide (Z_PK, ZC5, ZC170) VALUES (1, 'same', 'first'), (2, 'same', 'second');
      """)
    let printed = try run("inspect", "wide.sqlite").output
    #expect(printed.contains("first") && printed.contains("second") && printed.contains("100 of 181 columns"))
  }
}
