import Testing

@testable import ReportExperiments

/// A statement taken apart.
@Suite struct ParsedStatementTests {
  @Test func tokensOfEachKind() {
    let tokens = StatementToken.all(
      in: "a->>'it''s' 1.5e-3 .5 x'0f' ?12 :b @c $d ? [e f] `g``h` \"i\" != -- j\n /* k */ || 0x1F")
    #expect(
      tokens.map { String($0.text) } == [
        "a", "->>", "'it''s'", "1.5e-3", ".5", "x'0f'", "?12", ":b", "@c", "$d", "?", "[e f]", "`g``h`",
        "\"i\"", "!=",
        "||", "0x1F",
      ])
    #expect(tokens[11].name == "e f" && tokens[12].name == "g`h" && tokens[13].name == "i")
  }

  @Test(arguments: [
    ("? ? ?", [1, 2, 3]), ("?3 ? :a ? :a ?2", [3, 4, 5, 6, 5, 2]), ("@a $a :a ?", [1, 2, 3, 4]),
  ])
  func parametersHaveTheNumbersThatSQLiteGives(sql: String, numbers: [Int]) {
    #expect(ParameterNumbers(StatementToken.all(in: sql)).numbers == numbers)
  }

  @Test func clausesOfASelect() {
    let sql = """
      WITH x AS (SELECT 1) SELECT DISTINCT a FROM t LEFT OUTER JOIN u ON t.a = u.a WHERE b IS DISTINCT FROM 3 GROUP BY c
      HAVING d UNION ALL SELECT e FROM v ORDER BY f LIMIT 1 OFFSET 2
      """
    #expect(
      ParsedStatement(sql).clauses.filter { $0.group < 0 }.map(\.kind) == [
        .with, .select, .from, .join, .on, .filter, .group, .having, .compound, .select, .from, .order,
        .limit, .offset,
      ])
  }

  @Test func clausesOfWrites() {
    let insert =
      "INSERT INTO t (a) SELECT b FROM u WHERE 1 ON CONFLICT (a) WHERE c DO UPDATE SET a = 1 WHERE d RETURNING a"
    #expect(
      ParsedStatement(insert).clauses.map(\.kind) == [
        .insert, .select, .from, .filter, .conflict, .filter, .act, .set, .filter, .returning,
      ])
    let update = ParsedStatement("UPDATE OR IGNORE t AS x SET a = b FROM u WHERE c RETURNING *")
    #expect(update.clauses.map(\.kind) == [.update, .set, .from, .filter, .returning])
    #expect(update.tables.map(\.called) == ["x", "u"])
  }

  @Test func aTriggerHasTheClausesOfItsProgram() {
    let sql =
      "CREATE TRIGGER a AFTER UPDATE OF b ON t WHEN new.b BEGIN UPDATE u SET c = 1; DELETE FROM v WHERE d; END"
    #expect(ParsedStatement(sql).clauses.map(\.kind) == [.when, .update, .set, .delete, .filter])
  }

  @Test func tablesWithTheirNames() {
    let sql =
      "SELECT 1 FROM main.\"a b\" AS x, c NATURAL JOIN d e LEFT JOIN (SELECT 2 FROM f) g JOIN json_each(h) i"
    let tables = ParsedStatement(sql).tables
    #expect(tables.map(\.key) == ["a b", "c", "d", "f"])
    #expect(tables.map(\.called) == ["x", "c", "e", "f"])
  }

  @Test(arguments: [
    ("a BETWEEN 1 AND 2 AND b OR c", ["a BETWEEN 1 AND 2 AND b OR c", "a BETWEEN 1 AND 2 AND b"]),
    (
      "CASE WHEN a AND b THEN c OR d END AND e",
      ["CASE WHEN a AND b THEN c OR d END AND e", "a AND b", "c OR d"]
    ),
    (
      "a IN (SELECT b FROM t WHERE c AND d) AND f(g AND h)",
      ["a IN (SELECT b FROM t WHERE c AND d) AND f(g AND h)", "c AND d", "g AND h"]
    ),
    ("x.\"and\" = 'a AND b'", ["x.\"and\" = 'a AND b'"]),
  ])
  func chains(condition: String, found: [String]) {
    let statement = ParsedStatement("SELECT 1 FROM t WHERE \(condition)")
    #expect(statement.chains.map { statement.text($0.range) } == found)
  }

  @Test(arguments: [
    ("max(a)", false), ("max(a) AS b", true), ("max(a) b", true), ("a 'b'", true),
    ("a COLLATE NOCASE", false),
    ("a IS NULL", false), ("sum(a) OVER w", false), ("CASE a END", false), ("CASE a END b", true),
    ("NOT a", false),
    ("a || b", false), ("t.a", false), ("t.a b", true), ("?", false), ("? x", true),
  ])
  func namesOfColumns(column: String, hasName: Bool) {
    let statement = ParsedStatement("SELECT \(column)")
    #expect(statement.hasName(1..<statement.tokens.count) == hasName)
  }

  @Test func conditionsAndLiteralsOfOtherStatements() {
    let facts = StatementFacts(
      [
        "SELECT 1 FROM loan AS l WHERE l.returned = 0 AND l.id = ? AND lower(ends_at) <> 'x' AND member.id = 3",
        "CREATE INDEX a ON loan(id) WHERE item_id IS NOT NULL", "UPDATE loan SET returned = -1, ends_at = ?",
        "SELECT 1 FROM loan WHERE returned = 0 AND (SELECT 1)",
      ], OperatorCase.context.tables)
    #expect(
      facts.conditions["loan"]?.map { $0.text("q") } == [
        "q.returned = 0", "lower(q.ends_at) <> 'x'", "q.item_id IS NOT NULL",
      ])
    #expect(facts.literals(of: "loan", except: []).map(\.text) == ["-1"])
    #expect(facts.literals(of: "loan", except: ["returned"]).isEmpty)
  }
}
