import Testing

@testable import ReportInspection

@Suite struct QuickCheckTests {
  @Test func aCHECKConstraintIsNamedAsNotChecked() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database("a.sqlite", "CREATE TABLE t (a CHECK (a > 0)); INSERT INTO t VALUES (1);")
    #expect(inspectDatabase(at: path, rows: true).checkName == "quick_check without CHECK constraints")
  }

  @Test func manyTablesAreChecked() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      "BEGIN;" + (0..<3_000).map { "CREATE TABLE t\($0) (a PRIMARY KEY, b NOT NULL);" }.joined() + "COMMIT;")
    let database = inspectDatabase(at: path, rows: true)
    #expect(database.check == "ok" && database.checkName == "quick_check")
    #expect(database.problems == ["Only the first 500 schema objects are shown."])
  }
}
