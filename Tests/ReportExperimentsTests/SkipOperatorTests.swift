import Testing

@testable import ReportExperiments

/// Whole statements.
@Suite struct SkipOperatorTests {
  @Test(arguments: [
    OperatorCase(
      "skipped", "INSERT INTO item(id) VALUES (?), (?) ON CONFLICT DO NOTHING",
      (
        "INSERT INTO item(id) SELECT * FROM (VALUES (?), (?)) WHERE 0 ON CONFLICT DO NOTHING",
        "Without this statement"
      )),
    OperatorCase(
      "skipped", "WITH x AS (SELECT 1 AS a) INSERT INTO item(id) SELECT a FROM x WHERE a > ? RETURNING id",
      (
        "WITH x AS (SELECT 1 AS a) INSERT INTO item(id) SELECT * FROM (SELECT a FROM x WHERE a > ?) WHERE 0 RETURNING id",
        "Without this statement"
      )),
    OperatorCase(
      "skipped", "INSERT INTO item DEFAULT VALUES RETURNING id",
      ("DELETE FROM item WHERE 0 RETURNING id", "Without this statement")),
    OperatorCase(
      "skipped", "UPDATE item SET stock = ? WHERE id = ? OR id = ? RETURNING id",
      ("UPDATE item SET stock = ? WHERE 0 AND (id = ? OR id = ?) RETURNING id", "Without this statement")),
    OperatorCase(
      "skipped", "DELETE FROM item",
      ("DELETE FROM item WHERE 0", "Without this statement")),
    OperatorCase(
      "skipped", "DROP INDEX a",
      ("SELECT 1 WHERE 0", "Without this statement")),
    OperatorCase(
      "skipped", "CREATE INDEX a ON b(c)",
      ("SELECT 1 WHERE 0", "Without this index")),
    OperatorCase("skipped", "SELECT 1 FROM item"),
  ])
  func skipped(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "transaction", "ROLLBACK",
      ("COMMIT", "With COMMIT for “ROLLBACK”")),
    OperatorCase(
      "transaction", "COMMIT TRANSACTION",
      ("ROLLBACK", "With ROLLBACK for “COMMIT TRANSACTION”")),
    OperatorCase(
      "transaction", "BEGIN EXCLUSIVE",
      ("BEGIN DEFERRED", "With BEGIN DEFERRED for “BEGIN EXCLUSIVE”"),
      ("SELECT 1 WHERE 0", "Without “BEGIN EXCLUSIVE”")),
    OperatorCase(
      "transaction", "begin",
      ("BEGIN IMMEDIATE", "With BEGIN IMMEDIATE for “begin”"),
      ("SELECT 1 WHERE 0", "Without “begin”")),
    OperatorCase(
      "transaction", "SAVEPOINT a",
      ("SELECT 1 WHERE 0", "Without “SAVEPOINT a”")),
    OperatorCase(
      "transaction", "ROLLBACK TO a",
      ("SELECT 1 WHERE 0", "Without “ROLLBACK TO a”")),
  ])
  func transaction(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "setting", "PRAGMA foreign_keys = ON",
      ("PRAGMA foreign_keys = OFF", "With foreign_keys OFF")),
    OperatorCase("setting", "PRAGMA foreign_keys"),
    OperatorCase("setting", "PRAGMA user_version = 1"),
  ])
  func setting(_ made: OperatorCase) { made.check() }
}
