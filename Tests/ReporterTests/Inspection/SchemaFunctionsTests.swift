import Testing

@testable import Reporter

@Suite struct SchemaFunctionsTests {
  @Test func schemasMayUseJSON() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, data TEXT CHECK (JSON_VALID("data") OR "data" IS NULL),
        name TEXT AS (data ->> 'name'));
      CREATE INDEX byAge ON t (json_extract(data, '$.age'));
      INSERT INTO t (data) VALUES ('{"name": "Ada", "age": 36}');
      """)
    let database = inspectDatabase(at: path, rows: true)
    #expect(database.check == "ok" && database.problems.isEmpty)
    #expect(database.tables.map(\.problem) == [nil])
    #expect(database.tables.first?.rows.first?.last == .text("Ada", cutFrom: nil))
    #expect(database.checkName == "quick_check without CHECK constraints")
  }

  @Test(arguments: [
    "load_extension(a)", "fts3_tokenizer(a)", "fts3_tokenizer('x', a)", "rtreecheck('t')", "fts5_source_id()",
  ])
  func otherFunctionsAreNotRun(call: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE t (a, b AS (upper(a))); INSERT INTO t VALUES ('x'); PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'upper(a)', '\(call.replacing("'", with: "''"))');
      """)
    let database = inspectDatabase(at: path, rows: true)
    let said = database.problems + database.tables.compactMap(\.problem)
    #expect(said.contains { $0.contains("unsafe use of") }, "\(said)")
    #expect(database.tables.allSatisfy { $0.rows.isEmpty })
  }

  @Test func manyTablesAreChecked() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      "BEGIN;" + (0..<2_000).map { "CREATE TABLE t\($0) (a PRIMARY KEY, b NOT NULL);" }.joined() + "COMMIT;")
    let database = inspectDatabase(at: path, rows: true)
    #expect(database.check == "ok" && database.checkName == "quick_check")
    #expect(database.problems == ["Only the first 500 schema objects are shown."])
  }
}
