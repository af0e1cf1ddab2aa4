import Testing

@testable import ReportExperiments

/// What is made of many rows.
@Suite struct AggregateOperatorTests {
  @Test(arguments: [
    OperatorCase(
      "aggregate", "SELECT max(price), count(id), sum(stock), x.max(1) FROM item",
      (
        #"SELECT min(price) AS "max(price)", count(id), sum(stock), x.max(1) FROM item"#,
        "With min() for max() in “max(price)”"
      ),
      (
        #"SELECT max(price), sum(id) AS "count(id)", sum(stock), x.max(1) FROM item"#,
        "With sum() for count() in “count(id)”"
      ),
      (
        #"SELECT max(price), count(id), count(stock) AS "sum(stock)", x.max(1) FROM item"#,
        "With count() for sum() in “sum(stock)”"
      ),
      (
        #"SELECT max(price), count(id), total(stock) AS "sum(stock)", x.max(1) FROM item"#,
        "With total() for sum() in “sum(stock)”"
      ),
      (
        #"SELECT max(price), count(id), avg(stock) AS "sum(stock)", x.max(1) FROM item"#,
        "With avg() for sum() in “sum(stock)”"
      )),
    OperatorCase("aggregate", "SELECT count(*) FROM item"),
    OperatorCase(
      "aggregate", "SELECT max(title) FROM item",
      (
        #"SELECT max(CAST(title AS REAL)) AS "max(title)" FROM item"#,
        "With “title” as a number in “max(title)”"
      ),
      (#"SELECT min(title) AS "max(title)" FROM item"#, "With min() for max() in “max(title)”")),
  ])
  func aggregate(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "distinct values", "SELECT count(title), sum(DISTINCT price), max(price) FROM item",
      (
        #"SELECT count(DISTINCT title) AS "count(title)", sum(DISTINCT price), max(price) FROM item"#,
        "With count of distinct “title”"
      )),
    OperatorCase("distinct values", "SELECT sum(cents) OVER (ORDER BY kind) FROM fee"),
  ])
  func distinctValues(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "counted column", "SELECT count(*), count(l.id) FROM member m LEFT JOIN loan l ON l.member_id = m.id",
      (
        #"SELECT count(m.id) AS "count(*)", count(l.id) FROM member m LEFT JOIN loan l ON l.member_id = m.id"#,
        "With “count(m.id)” for “count(*)”"
      ),
      (
        #"SELECT count(DISTINCT m.id) AS "count(*)", count(l.id) FROM member m LEFT JOIN loan l ON l.member_id = m.id"#,
        "With “count(DISTINCT m.id)” for “count(*)”"
      ),
      (
        #"SELECT count(l.id) AS "count(*)", count(l.id) FROM member m LEFT JOIN loan l ON l.member_id = m.id"#,
        "With “count(l.id)” for “count(*)”"
      ),
      (
        #"SELECT count(DISTINCT l.id) AS "count(*)", count(l.id) FROM member m LEFT JOIN loan l ON l.member_id = m.id"#,
        "With “count(DISTINCT l.id)” for “count(*)”"
      ),
      (
        #"SELECT count(*), count(*) AS "count(l.id)" FROM member m LEFT JOIN loan l ON l.member_id = m.id"#,
        "With count(*) for “count(l.id)”"
      )),
    OperatorCase("counted column", "SELECT sum(id) FROM member"),
  ])
  func countedColumn(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "factor", "SELECT sum(price * ?), sum(price) FROM item",
      (
        #"SELECT sum(CASE WHEN (1 OR ?) THEN price END) AS "sum(price * ?)", sum(price) FROM item"#,
        "With the sum of “price” for “price * ?”"
      ),
      (
        #"SELECT sum(CASE WHEN (1 OR ?1) THEN ?1 END) AS "sum(price * ?)", sum(price) FROM item"#,
        "With the sum of “?” for “price * ?”"
      ),
      (
        #"SELECT sum(item.stock * (price * ?)) AS "sum(price * ?)", sum(price) FROM item"#,
        "With item.stock as a factor of “price * ?”"
      ),
      (
        #"SELECT sum(price * ?), sum(item.stock * price) AS "sum(price)" FROM item"#,
        "With item.stock as a factor of “price”"
      )),
    OperatorCase("factor", "SELECT max(price) FROM item"),
  ])
  func factors(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "sums before joins",
      "SELECT m.id, sum(f.cents), count(l.id) FROM member m LEFT JOIN loan l ON l.member_id = m.id LEFT JOIN fee f ON f.loan_id = l.id WHERE f.kind = ? GROUP BY m.id",
      (
        "SELECT m.id, sum(f.cents), count(l.id) FROM member m LEFT JOIN (SELECT max(id) AS id, member_id, sum(item_id) AS item_id, max(starts_at) AS starts_at, max(ends_at) AS ends_at, sum(returned) AS returned FROM loan GROUP BY member_id) AS l ON l.member_id = m.id LEFT JOIN fee f ON f.loan_id = l.id WHERE f.kind = ? GROUP BY m.id",
        "With the rows of “loan” summed before they are joined"
      ),
      (
        #"SELECT m.id, (SELECT sum(f.cents) FROM fee f WHERE f.loan_id = l.id AND f.kind = ?1) AS "sum(f.cents)", (SELECT count(l.id) FROM loan l WHERE l.member_id = m.id) AS "count(l.id)" FROM member m LEFT JOIN loan l ON l.member_id = m.id LEFT JOIN fee f ON f.loan_id = l.id WHERE f.kind = ?1 GROUP BY m.id"#,
        "With all sums made before the joins"
      ),
      (
        #"SELECT m.id, (SELECT sum(f.cents) FROM fee f WHERE f.loan_id = l.id AND f.kind = ?1) AS "sum(f.cents)", count(l.id) FROM member m LEFT JOIN loan l ON l.member_id = m.id LEFT JOIN fee f ON f.loan_id = l.id WHERE f.kind = ?1 GROUP BY m.id"#,
        "With “sum(f.cents)” made before the joins"
      ),
      (
        #"SELECT m.id, sum(f.cents), (SELECT count(l.id) FROM loan l WHERE l.member_id = m.id) AS "count(l.id)" FROM member m LEFT JOIN loan l ON l.member_id = m.id LEFT JOIN fee f ON f.loan_id = l.id WHERE f.kind = ? GROUP BY m.id"#,
        "With “count(l.id)” made before the joins"
      )),
    OperatorCase("sums before joins", "SELECT sum(f.cents) FROM member m JOIN fee f ON f.loan_id = m.id"),
  ])
  func sumsBeforeJoins(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "one row a key", "SELECT sum(m.level) FROM member m JOIN loan AS l ON l.member_id = m.id",
      (
        "SELECT sum(m.level) FROM (SELECT * FROM member GROUP BY id) AS m JOIN loan AS l ON l.member_id = m.id",
        "With one row of “member” for each value of “m.id”"
      ),
      (
        "SELECT sum(m.level) FROM member m JOIN (SELECT * FROM loan GROUP BY member_id) AS l ON l.member_id = m.id",
        "With one row of “loan” for each value of “l.member_id”"
      )),
    OperatorCase("one row a key", "SELECT m.id FROM member m WHERE m.id = ?"),
  ])
  func oneRowAKey(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "frame", "SELECT sum(cents) OVER (PARTITION BY kind ORDER BY loan_id) FROM fee",
      (
        #"SELECT sum(cents) OVER (PARTITION BY kind ORDER BY loan_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS "sum(cents) OVER (PARTITION BY kind ORDER BY loan_id)" FROM fee"#,
        "With ROWS for RANGE in the window “ORDER BY loan_id”"
      ),
      (
        #"SELECT sum(cents) OVER (PARTITION BY kind ORDER BY loan_id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS "sum(cents) OVER (PARTITION BY kind ORDER BY loan_id)" FROM fee"#,
        "With all rows as the frame in the window “ORDER BY loan_id”"
      )),
    OperatorCase(
      "frame", "SELECT sum(cents) OVER (ORDER BY loan_id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM fee",
      (
        #"SELECT sum(cents) OVER (ORDER BY loan_id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS "sum(cents) OVER (ORDER BY loan_id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)" FROM fee"#,
        "With ROWS for RANGE in “RANGE BETWEEN 1 PRECEDING AND CURRENT ROW”"
      ),
      (
        #"SELECT sum(cents) OVER (ORDER BY loan_id RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS "sum(cents) OVER (ORDER BY loan_id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)" FROM fee"#,
        "With UNBOUNDED PRECEDING for “1 PRECEDING” in “RANGE BETWEEN 1 PRECEDING AND CURRENT ROW”"
      ),
      (
        #"SELECT sum(cents) OVER (ORDER BY loan_id RANGE BETWEEN CURRENT ROW AND CURRENT ROW) AS "sum(cents) OVER (ORDER BY loan_id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)" FROM fee"#,
        "With CURRENT ROW for “1 PRECEDING” in “RANGE BETWEEN 1 PRECEDING AND CURRENT ROW”"
      ),
      (
        #"SELECT sum(cents) OVER (ORDER BY loan_id RANGE BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING) AS "sum(cents) OVER (ORDER BY loan_id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)" FROM fee"#,
        "With UNBOUNDED FOLLOWING for “CURRENT ROW” in “RANGE BETWEEN 1 PRECEDING AND CURRENT ROW”"
      ),
      (
        #"SELECT sum(cents) OVER (ORDER BY loan_id RANGE BETWEEN 1 PRECEDING AND 1 PRECEDING) AS "sum(cents) OVER (ORDER BY loan_id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)" FROM fee"#,
        "With 1 PRECEDING for “CURRENT ROW” in “RANGE BETWEEN 1 PRECEDING AND CURRENT ROW”"
      )),
    OperatorCase("frame", "SELECT sum(cents) OVER (PARTITION BY kind) FROM fee"),
  ])
  func frames(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "partition", "SELECT sum(cents) OVER (PARTITION BY kind, loan_id ORDER BY 1) FROM fee",
      (
        #"SELECT sum(cents) OVER (ORDER BY 1) AS "sum(cents) OVER (PARTITION BY kind, loan_id ORDER BY 1)" FROM fee"#,
        "Without “PARTITION BY kind, loan_id”"
      ),
      (
        #"SELECT sum(cents) OVER (PARTITION BY loan_id ORDER BY 1) AS "sum(cents) OVER (PARTITION BY kind, loan_id ORDER BY 1)" FROM fee"#,
        "Without “kind” in “PARTITION BY kind, loan_id”"
      ),
      (
        #"SELECT sum(cents) OVER (PARTITION BY kind ORDER BY 1) AS "sum(cents) OVER (PARTITION BY kind, loan_id ORDER BY 1)" FROM fee"#,
        "Without “loan_id” in “PARTITION BY kind, loan_id”"
      )),
    OperatorCase("partition", "SELECT sum(cents) FROM fee ORDER BY kind"),
  ])
  func partitions(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "window function", "SELECT rank() OVER (ORDER BY id), lag(id) OVER (ORDER BY id) FROM loan",
      (
        #"SELECT row_number() OVER (ORDER BY id) AS "rank() OVER (ORDER BY id)", lag(id) OVER (ORDER BY id) FROM loan"#,
        "With row_number() for rank()"
      ),
      (
        #"SELECT dense_rank() OVER (ORDER BY id) AS "rank() OVER (ORDER BY id)", lag(id) OVER (ORDER BY id) FROM loan"#,
        "With dense_rank() for rank()"
      ),
      (
        #"SELECT rank() OVER (ORDER BY id), lead(id) OVER (ORDER BY id) AS "lag(id) OVER (ORDER BY id)" FROM loan"#,
        "With lead() for lag()"
      )),
    OperatorCase("window function", "SELECT rank FROM fee"),
  ])
  func windowFunction(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "group by", "SELECT kind FROM fee GROUP BY kind, loan_id",
      ("SELECT kind FROM fee", "Without “GROUP BY kind, loan_id”"),
      ("SELECT kind FROM fee GROUP BY loan_id", "Without “kind” in “GROUP BY kind, loan_id”"),
      ("SELECT kind FROM fee GROUP BY kind", "Without “loan_id” in “GROUP BY kind, loan_id”"),
      (
        "SELECT kind FROM fee GROUP BY kind, loan_id, fee.cents",
        "With “fee.cents” more in “GROUP BY kind, loan_id”"
      )),
    OperatorCase("group by", "SELECT kind FROM fee"),
  ])
  func groupBy(_ made: OperatorCase) { made.check() }
}
