import Testing

@testable import ReportExperiments

/// A condition more, another column, one row of several.
@Suite struct FilterOperatorTests {
  @Test(arguments: [
    OperatorCase(
      "condition more", "SELECT id FROM loan AS x WHERE x.id = ? OR x.id = 3",
      (
        "SELECT id FROM loan AS x WHERE (x.id = ? OR x.id = 3) AND x.returned = 0",
        "With the condition “x.returned = 0” more"
      ),
      (
        "SELECT id FROM loan AS x WHERE (x.id = ? OR x.id = 3) AND x.item_id IS NOT NULL",
        "With the condition “x.item_id IS NOT NULL” more"
      )),
    OperatorCase(
      "condition more", "SELECT * FROM member m LEFT JOIN loan l ON l.member_id = m.id",
      (
        "SELECT * FROM member m LEFT JOIN loan l ON l.member_id = m.id AND l.returned = 0",
        "With the condition “l.returned = 0” more"
      ),
      (
        "SELECT * FROM member m LEFT JOIN loan l ON l.member_id = m.id AND l.item_id IS NOT NULL",
        "With the condition “l.item_id IS NOT NULL” more"
      )),
    OperatorCase("condition more", "SELECT * FROM loan WHERE returned = 0 AND item_id IS NOT NULL"),
  ])
  func conditionMore(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "column test", "SELECT id FROM fee ORDER BY id",
      (
        "SELECT id FROM fee WHERE fee.cents IS NULL ORDER BY id",
        "With the condition “fee.cents IS NULL” more"
      ),
      (
        "SELECT id FROM fee WHERE fee.cents IS NOT NULL ORDER BY id",
        "With the condition “fee.cents IS NOT NULL” more"
      ),
      ("SELECT id FROM fee WHERE fee.cents = 0 ORDER BY id", "With the condition “fee.cents = 0” more"),
      ("SELECT id FROM fee WHERE fee.cents = 1 ORDER BY id", "With the condition “fee.cents = 1” more")),
    OperatorCase("column test", "SELECT 1"),
  ])
  func columnTest(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "other column", "SELECT sum(price) FROM item WHERE title = ?",
      (
        #"SELECT sum(stock) AS "sum(price)" FROM item WHERE title = ?"#,
        "With “stock” for “price” in “sum(price)”"
      )),
    OperatorCase("other column", "SELECT sum(price * 2) FROM item"),
  ])
  func otherColumn(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "one of several", "SELECT (SELECT cents FROM fee WHERE loan_id = item.id) FROM item",
      (
        #"SELECT (SELECT max(cents) FROM fee WHERE loan_id = item.id) AS "(SELECT cents FROM fee WHERE loan_id = item.id)" FROM item"#,
        "With the largest “cents” of the subquery"
      ),
      (
        #"SELECT (SELECT min(cents) FROM fee WHERE loan_id = item.id) AS "(SELECT cents FROM fee WHERE loan_id = item.id)" FROM item"#,
        "With the smallest “cents” of the subquery"
      ),
      (
        #"SELECT (SELECT cents FROM fee WHERE loan_id = item.id ORDER BY fee.rowid LIMIT 1) AS "(SELECT cents FROM fee WHERE loan_id = item.id)" FROM item"#,
        "With “ORDER BY fee.rowid” and LIMIT 1 in the subquery"
      ),
      (
        #"SELECT (SELECT cents FROM fee WHERE loan_id = item.id ORDER BY fee.rowid DESC LIMIT 1) AS "(SELECT cents FROM fee WHERE loan_id = item.id)" FROM item"#,
        "With “ORDER BY fee.rowid DESC” and LIMIT 1 in the subquery"
      ),
      (
        #"SELECT (SELECT cents FROM fee WHERE loan_id = item.id ORDER BY fee.loan_id LIMIT 1) AS "(SELECT cents FROM fee WHERE loan_id = item.id)" FROM item"#,
        "With “ORDER BY fee.loan_id” and LIMIT 1 in the subquery"
      ),
      (
        #"SELECT (SELECT cents FROM fee WHERE loan_id = item.id ORDER BY fee.loan_id DESC LIMIT 1) AS "(SELECT cents FROM fee WHERE loan_id = item.id)" FROM item"#,
        "With “ORDER BY fee.loan_id DESC” and LIMIT 1 in the subquery"
      ),
      (
        #"SELECT (SELECT cents FROM fee WHERE loan_id = item.id ORDER BY fee.kind LIMIT 1) AS "(SELECT cents FROM fee WHERE loan_id = item.id)" FROM item"#,
        "With “ORDER BY fee.kind” and LIMIT 1 in the subquery"
      ),
      (
        #"SELECT (SELECT cents FROM fee WHERE loan_id = item.id ORDER BY fee.kind DESC LIMIT 1) AS "(SELECT cents FROM fee WHERE loan_id = item.id)" FROM item"#,
        "With “ORDER BY fee.kind DESC” and LIMIT 1 in the subquery"
      ),
      (
        #"SELECT (SELECT cents FROM fee WHERE loan_id = item.id ORDER BY fee.cents LIMIT 1) AS "(SELECT cents FROM fee WHERE loan_id = item.id)" FROM item"#,
        "With “ORDER BY fee.cents” and LIMIT 1 in the subquery"
      ),
      (
        #"SELECT (SELECT cents FROM fee WHERE loan_id = item.id ORDER BY fee.cents DESC LIMIT 1) AS "(SELECT cents FROM fee WHERE loan_id = item.id)" FROM item"#,
        "With “ORDER BY fee.cents DESC” and LIMIT 1 in the subquery"
      )),
    OperatorCase("one of several", "SELECT id FROM item WHERE id IN (SELECT id FROM loan)"),
  ])
  func oneOfSeveral(_ made: OperatorCase) { made.check() }
}
