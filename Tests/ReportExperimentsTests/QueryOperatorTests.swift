import Testing

@testable import ReportExperiments

/// Joins, unions and conditions.
@Suite struct QueryOperatorTests {
  @Test(arguments: [
    OperatorCase(
      "distinct", "SELECT title FROM item WHERE EXISTS (SELECT 1 FROM loan)",
      ("SELECT DISTINCT title FROM item WHERE EXISTS (SELECT 1 FROM loan)", "With SELECT DISTINCT")),
    OperatorCase(
      "distinct", "SELECT DISTINCT title FROM item",
      ("SELECT title FROM item", "Without DISTINCT in “DISTINCT title”")),
    OperatorCase("distinct", "SELECT max(price) FROM item"),
  ])
  func distinctRows(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "union", "SELECT a FROM t UNION SELECT b FROM u UNION SELECT c FROM v",
      ("SELECT a FROM t UNION ALL SELECT b FROM u UNION SELECT c FROM v", "With UNION ALL for UNION"),
      ("SELECT a FROM t UNION SELECT b FROM u UNION ALL SELECT c FROM v", "With UNION ALL for UNION"),
      ("SELECT a FROM t UNION ALL SELECT b FROM u UNION ALL SELECT c FROM v", "With UNION ALL for each UNION")
    ),
    OperatorCase(
      "union", "SELECT a FROM t EXCEPT SELECT b FROM u",
      ("SELECT a FROM t UNION SELECT b FROM u", "With UNION for EXCEPT"),
      ("SELECT a FROM t INTERSECT SELECT b FROM u", "With INTERSECT for EXCEPT")),
    OperatorCase("union", "SELECT 'UNION' FROM t"),
  ])
  func unions(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "join",
      "SELECT * FROM member m INNER JOIN loan l ON l.member_id = m.id LEFT OUTER JOIN fee f ON f.loan_id = l.id",
      (
        "SELECT * FROM member m LEFT JOIN loan l ON l.member_id = m.id LEFT OUTER JOIN fee f ON f.loan_id = l.id",
        "With LEFT JOIN for JOIN of “loan”"
      ),
      (
        "SELECT * FROM member m INNER JOIN loan l ON l.member_id = m.id JOIN fee f ON f.loan_id = l.id",
        "With JOIN for LEFT OUTER JOIN of “fee”"
      )),
    OperatorCase("join", "SELECT * FROM member NATURAL JOIN loan CROSS JOIN fee"),
  ])
  func joins(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "condition of join",
      "SELECT * FROM member m LEFT JOIN loan l ON l.member_id = m.id OR m.id = 0 WHERE m.level > ? AND l.returned = ?",
      (
        "SELECT * FROM member m LEFT JOIN loan l ON (l.member_id = m.id OR m.id = 0) AND l.returned = ?2 WHERE m.level > ?1 AND 1",
        "With “l.returned = ?” in the ON of “loan”"
      )),
    OperatorCase(
      "condition of join", "SELECT * FROM member m JOIN loan l ON l.member_id = m.id WHERE l.returned = ?"),
  ])
  func conditionOfJoin(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "joined columns", "SELECT * FROM member m JOIN loan l ON l.id = m.id",
      (
        "SELECT * FROM member m JOIN loan l ON l.member_id = m.id",
        "With “l.member_id = m.id” for “l.id = m.id”"
      )),
    OperatorCase("joined columns", "SELECT * FROM member m, loan l WHERE l.returned = 3"),
  ])
  func joinedColumns(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "condition less", "DELETE FROM loan WHERE id = ? AND (returned = 1 OR ends_at BETWEEN ? AND ?)",
      ("DELETE FROM loan WHERE (1 OR ?) AND (returned = 1 OR ends_at BETWEEN ? AND ?)", "Without “id = ?”"),
      (
        "DELETE FROM loan WHERE id = ? AND (1 OR ? OR ?)",
        "Without “(returned = 1 OR ends_at BETWEEN ? AND ?)”"
      )),
    OperatorCase("condition less", "SELECT id FROM loan"),
  ])
  func conditionLess(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "alternative less", "SELECT id FROM loan WHERE id = ? OR ends_at < ?",
      ("SELECT id FROM loan WHERE (0 AND ?) OR ends_at < ?", "Without “id = ?”"),
      ("SELECT id FROM loan WHERE id = ? OR (0 AND ?)", "Without “ends_at < ?”")),
    OperatorCase("alternative less", "INSERT OR REPLACE INTO item(id) VALUES (1)"),
  ])
  func alternativeLess(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "and or", "SELECT id FROM loan WHERE a = 1 AND b = 2 AND c = 3 OR d BETWEEN 1 AND 2",
      (
        "SELECT id FROM loan WHERE a = 1 AND b = 2 AND c = 3 AND d BETWEEN 1 AND 2",
        "With AND for OR in “a = 1 AND b = 2 AND c = 3 OR d BETWEEN 1 AND 2”"
      ),
      (
        "SELECT id FROM loan WHERE (a = 1 OR b = 2) AND c = 3 OR d BETWEEN 1 AND 2",
        "With OR for AND in “a = 1 AND b = 2”"
      ),
      (
        "SELECT id FROM loan WHERE a = 1 AND (b = 2 OR c = 3) OR d BETWEEN 1 AND 2",
        "With OR for AND in “b = 2 AND c = 3”"
      )),
    OperatorCase("and or", "SELECT id FROM loan WHERE a BETWEEN 1 AND 2"),
  ])
  func andOr(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "grouping", "SELECT id FROM loan WHERE a = ? AND b = ? OR c = ? AND d = ?",
      (
        "SELECT id FROM loan WHERE a = ? AND (b = ? OR c = ? AND d = ?)",
        "With parentheses around “b = ? OR c = ? AND d = ?”"
      ),
      (
        "SELECT id FROM loan WHERE (a = ? AND b = ? OR c = ?) AND d = ?",
        "With parentheses around “a = ? AND b = ? OR c = ?”"
      ),
      (
        "SELECT id FROM loan WHERE a = ? AND (b = ? OR c = ?) AND d = ?",
        "With parentheses around “b = ? OR c = ?”"
      )),
    OperatorCase("grouping", "SELECT id FROM loan WHERE a = 1 OR b = 2"),
  ])
  func grouping(_ made: OperatorCase) { made.check() }
}
