import Testing

@testable import ReportModel

/// What is told of a statement by its text.
@Suite struct StatementTextTests {
  @Test(
    arguments: [
      ("begin immediate", .begin), ("END TRANSACTION", .commit), ("Commit;", .commit),
      ("ROLLBACK", .rollback),
      ("rollback transaction to savepoint \"a b\"", .rollbackTo("a b")), ("ROLLBACK TO x", .rollbackTo("x")),
      ("RELEASE SAVEPOINT [X]", .release("x")), ("release 'y'", .release("y")),
      ("SAVEPOINT A", .savepoint("a")),
      ("-- a\n/* b; */ SELECT 1", .select), ("VALUES (1)", .select), ("PRAGMA a", .other), ("", .other),
      ("WITH a(b) AS (SELECT 1) SELECT * FROM a", .select),
      ("WITH a AS (DELETE) INSERT INTO t SELECT 1", .insert),
      ("REPLACE INTO t VALUES (1)", .insert),
      ("CREATE TEMP TABLE IF NOT EXISTS \"a\"(b)", .create(what: "TABLE", name: "a")),
      ("DROP VIEW IF EXISTS main.v", .drop(what: "VIEW", name: "v")),
      ("ALTER TABLE a RENAME TO b", .alter(table: "a")),
      ("VACUUM INTO 'x'", .vacuum), ("/* never ends", .other), ("'x", .other), ("\"", .other),
    ] as [(String, StatementText.Kind)])
  func theKind(sql: String, kind: StatementText.Kind) {
    #expect(StatementText(sql).kind == kind)
  }

  @Test(arguments: [
    ("INSERT OR REPLACE INTO main.\"a\"\"b\" VALUES (1)", "a\"b"), ("UPDATE OR FAIL t SET a = 1", "t"),
    ("UPDATE `t` SET a = 1", "t"), ("DELETE FROM other.[t x]", "t x"), ("SELECT 1", nil), ("DELETE", nil),
  ])
  func theTableThatItWrites(sql: String, target: String?) {
    #expect(StatementText(sql).target == target)
  }

  @Test func schemasAreNamed() {
    #expect(
      StatementText("SELECT Archive.t.a, 'x.y' FROM archive.t, \"b c\".u").qualifiers == [
        "archive", "t", "b c",
      ])
  }

  @Test func theProgramOfATriggerTellsWhatItWrites() {
    let text = StatementText(
      "CREATE TRIGGER a BEFORE DELETE ON t WHEN 1 BEGIN UPDATE x SET a = 1; SELECT 'INSERT INTO y'; DELETE FROM z; END"
    )
    #expect(text.trigger?.writes.map(\.table) == ["x", "z"])
  }

  @Test(arguments: [
    (
      "SELECT a1, 12, 'it''s', x'00FF', -1.5e3, \"a\", \"b\" -- 5\n",
      "SELECT a1, ?, ?, ?, -?, \"a\", ?"
    ),
    (
      "-- of Ada's\n/* 7 */SELECT/* Ada */a -- 'Ada'\n AS \"Sum\", \"u\".\"a\", \"x\" FROM \"t\".u /* not closed",
      "SELECT a \n AS \"Sum\", \"u\".\"a\", ? FROM \"t\".u"
    ),
    ("-- sqlite3_blob_write", "-- sqlite3_blob_write"), ("-- sqlite3_blob_write of Ada's", ""),
    ("INSERT INTO t VALUES('unfinished", "INSERT INTO t VALUES(?"), ("", ""),
  ])
  func literalsAreLeftOut(sql: String, without: String) {
    #expect(StatementText.withoutLiterals(sql, names: ["a"]) == without)
  }

  @Test func aTextThatWasCutHasNoMoreThanItSays() {
    let sql = "CREATE UNIQUE INDEX IF NOT EXISTS main.visit_day ON visit(day)"
    for count in 0...sql.count {
      let text = StatementText(String(sql.prefix(count)))
      if count < sql.count - "visit(day)".count { #expect(text.subject == nil) }
    }
    #expect(StatementText(sql).subject == "visit")
    #expect(StatementText("CREATE TRIGGER").subject == nil && StatementText("DROP INDEX").subject == nil)
  }
}
