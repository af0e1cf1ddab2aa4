import Testing

@testable import ReportExperiments

/// NULL in conditions and values.
@Suite struct NullOperatorTests {
  @Test(arguments: [
    OperatorCase(
      "null test", "SELECT id FROM loan WHERE ends_at IS NULL AND starts_at IS NOT NULL AND item_id NOTNULL",
      (
        "SELECT id FROM loan WHERE ends_at IS NOT NULL AND starts_at IS NOT NULL AND item_id NOTNULL",
        "With IS NOT NULL for IS NULL in “ends_at IS NULL”"
      ),
      (
        "SELECT id FROM loan WHERE ends_at IS NULL AND starts_at IS NULL AND item_id NOTNULL",
        "With IS NULL for IS NOT NULL in “starts_at IS NOT NULL”"
      ),
      (
        "SELECT id FROM loan WHERE ends_at IS NULL AND starts_at IS NOT NULL AND item_id ISNULL",
        "With ISNULL for NOTNULL in “item_id NOTNULL”"
      )),
    OperatorCase("null test", "UPDATE loan SET ends_at = NULL"),
  ])
  func nullTest(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "null equality", "SELECT id FROM loan WHERE ends_at != ? AND starts_at IS ? AND item_id = 3",
      (
        "SELECT id FROM loan WHERE ends_at IS NOT ? AND starts_at IS ? AND item_id = 3",
        "With “IS NOT” for “!=” in “ends_at != ?”"
      ),
      (
        "SELECT id FROM loan WHERE ends_at != ? AND starts_at = ? AND item_id = 3",
        "With “=” for “IS” in “starts_at IS ?”"
      ),
      (
        "SELECT id FROM loan WHERE ends_at != ? AND starts_at IS ? AND item_id IS 3",
        "With “IS” for “=” in “item_id = 3”"
      )),
    OperatorCase("null equality", "UPDATE loan SET ends_at = ? WHERE id = ?"),
  ])
  func nullEquality(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "null in list",
      "SELECT id FROM loan WHERE item_id NOT IN (SELECT item_id FROM fee) AND ends_at NOT LIKE ?",
      (
        "SELECT id FROM loan WHERE item_id NOT IN (SELECT v FROM (SELECT NULL AS v WHERE 0 UNION ALL SELECT * FROM (SELECT item_id FROM fee)) WHERE v IS NOT NULL) AND ends_at NOT LIKE ?",
        "Without NULL in what NOT IN asks for in “item_id NOT IN (SELECT item_id FROM fee)”"
      ),
      (
        "SELECT id FROM loan WHERE NOT coalesce(item_id IN (SELECT item_id FROM fee), 0) AND ends_at NOT LIKE ?",
        "With rows for which “item_id NOT IN (SELECT item_id FROM fee)” is NULL"
      ),
      (
        "SELECT id FROM loan WHERE item_id NOT IN (SELECT item_id FROM fee) AND NOT coalesce(ends_at LIKE ?, 0)",
        "With rows for which “ends_at NOT LIKE ?” is NULL"
      )),
    OperatorCase("null in list", "SELECT id FROM loan WHERE item_id IN (SELECT item_id FROM fee)"),
  ])
  func nullInList(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "one of coalesce", "SELECT coalesce(ends_at, ?, 'x') FROM loan",
      (
        #"SELECT CASE WHEN (1 OR ?) THEN (ends_at) END AS "coalesce(ends_at, ?, 'x')" FROM loan"#,
        "With “ends_at” alone for “coalesce(ends_at, ?, 'x')”"
      ),
      (
        #"SELECT (?) AS "coalesce(ends_at, ?, 'x')" FROM loan"#,
        "With “?” alone for “coalesce(ends_at, ?, 'x')”"
      ),
      (
        #"SELECT CASE WHEN (1 OR ?) THEN ('x') END AS "coalesce(ends_at, ?, 'x')" FROM loan"#,
        "With “'x'” alone for “coalesce(ends_at, ?, 'x')”"
      )),
    OperatorCase("one of coalesce", "SELECT max(a, b) FROM loan"),
  ])
  func oneOfCoalesce(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "zero for null", "SELECT sum(cents), price - stock, a || b FROM fee",
      (
        #"SELECT coalesce(sum(cents), 0) AS "sum(cents)", price - stock, a || b FROM fee"#,
        "With 0 where “sum(cents)” is NULL"
      ),
      (
        #"SELECT sum(cents), coalesce(price, 0) - stock AS "price - stock", a || b FROM fee"#,
        "With 0 where “price” is NULL in “price - stock”"
      ),
      (
        #"SELECT sum(cents), price - coalesce(stock, 0) AS "price - stock", a || b FROM fee"#,
        "With 0 where “stock” is NULL in “price - stock”"
      ),
      (
        #"SELECT sum(cents), price - stock, coalesce(a, '') || b AS "a || b" FROM fee"#,
        "With an empty text where “a” is NULL in “a || b”"
      ),
      (
        #"SELECT sum(cents), price - stock, a || coalesce(b, '') AS "a || b" FROM fee"#,
        "With an empty text where “b” is NULL in “a || b”"
      )),
    OperatorCase(
      "zero for null", "SELECT avg(cents) OVER (ORDER BY id) FROM fee",
      (
        #"SELECT coalesce(avg(cents) OVER (ORDER BY id), 0) AS "avg(cents) OVER (ORDER BY id)" FROM fee"#,
        "With 0 where “avg(cents) OVER (ORDER BY id)” is NULL"
      ),
      (
        #"SELECT avg(coalesce(cents, 0)) OVER (ORDER BY id) AS "avg(cents) OVER (ORDER BY id)" FROM fee"#,
        "With 0 for NULL in “avg(cents) OVER (ORDER BY id)”"
      )),
  ])
  func zeroForNull(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "empty as null", "SELECT id FROM loan WHERE ends_at IS NOT NULL AND returned IS NULL",
      (
        "SELECT id FROM loan WHERE nullif(ends_at, '') IS NOT NULL AND returned IS NULL",
        "With the empty text as NULL in “ends_at IS NOT NULL”"
      ),
      (
        "SELECT id FROM loan WHERE nullif(ends_at, 'null') IS NOT NULL AND returned IS NULL",
        "With JSON's null as NULL in “ends_at IS NOT NULL”"
      )),
    OperatorCase("empty as null", "SELECT id FROM loan WHERE ends_at = ?"),
  ])
  func emptyAsNull(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "not less", "SELECT id FROM loan WHERE NOT (a OR b) AND c NOT IN (1) AND d IS NOT NULL",
      (
        "SELECT id FROM loan WHERE (a OR b) AND c NOT IN (1) AND d IS NOT NULL",
        "Without NOT in “NOT (a OR b)”"
      ),
      (
        "SELECT id FROM loan WHERE NOT (a OR b) AND c IN (1) AND d IS NOT NULL",
        "Without NOT in “c NOT IN (1)”"
      )),
    OperatorCase("not less", "SELECT id FROM loan WHERE ends_at IS NOT NULL"),
  ])
  func notLess(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "not more", "SELECT id FROM loan WHERE (a OR b) AND c IN (1) AND EXISTS (SELECT 1 FROM fee)",
      (
        "SELECT id FROM loan WHERE (a OR b) AND c NOT IN (1) AND EXISTS (SELECT 1 FROM fee)",
        "With NOT IN for IN in “c IN (1)”"
      ),
      (
        "SELECT id FROM loan WHERE (a OR b) AND c IN (1) AND NOT EXISTS (SELECT 1 FROM fee)",
        "With NOT EXISTS for EXISTS in “EXISTS (SELECT 1 FROM fee)”"
      ),
      (
        "SELECT id FROM loan WHERE NOT (a OR b) AND c IN (1) AND EXISTS (SELECT 1 FROM fee)",
        "With NOT before “(a OR b)”"
      )),
    OperatorCase("not more", "SELECT id FROM loan WHERE (SELECT 1)"),
  ])
  func notMore(_ made: OperatorCase) { made.check() }
}
