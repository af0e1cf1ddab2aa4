import Testing

@testable import ReportExperiments

/// The order and the number of rows.
@Suite struct OrderOperatorTests {
  @Test(arguments: [
    OperatorCase(
      "direction", "SELECT title FROM item ORDER BY price DESC, title",
      ("SELECT title FROM item ORDER BY price, title", "With ASC for DESC in its order by “price”"),
      (
        "SELECT title FROM item ORDER BY price DESC NULLS FIRST, title",
        "With NULL first in its order by “price”"
      ),
      ("SELECT title FROM item ORDER BY price DESC, title DESC", "With DESC in its order by “title”"),
      (
        "SELECT title FROM item ORDER BY price DESC, title NULLS LAST",
        "With NULL last in its order by “title”"
      )),
    OperatorCase("direction", "SELECT title FROM item"),
  ])
  func direction(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "order as", "SELECT title FROM item ORDER BY title DESC, price",
      (
        "SELECT title FROM item ORDER BY CAST(title AS REAL) DESC, price",
        "With “title” as a number in its order"
      ),
      (
        "SELECT title FROM item ORDER BY title COLLATE NOCASE DESC, price",
        "Without regard to the case of letters in its order by “title”"
      ),
      (
        "SELECT title FROM item ORDER BY title DESC, CAST(price AS REAL)",
        "With “price” as a number in its order"
      )),
    OperatorCase("order as", "SELECT title FROM item ORDER BY 1"),
  ])
  func orderAs(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "tie-breaker", "SELECT title FROM item ORDER BY price",
      ("SELECT title FROM item ORDER BY price, item.id", "With “item.id” last in “ORDER BY price”"),
      ("SELECT title FROM item ORDER BY price, item.id DESC", "With “item.id DESC” last in “ORDER BY price”")),
    OperatorCase("tie-breaker", "SELECT a FROM item UNION SELECT b FROM item ORDER BY 1"),
  ])
  func tieBreaker(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "order by", "SELECT title FROM item i ORDER BY price DESC",
      (
        "SELECT title FROM item i ORDER BY i.title DESC, price DESC",
        "With “i.title DESC” first in “ORDER BY price DESC”"
      ),
      (
        "SELECT title FROM item i ORDER BY i.id DESC, price DESC",
        "With “i.id DESC” first in “ORDER BY price DESC”"
      ),
      (
        "SELECT title FROM item i ORDER BY i.stock DESC, price DESC",
        "With “i.stock DESC” first in “ORDER BY price DESC”"
      ),
      (
        "SELECT title FROM item i ORDER BY i.title, price DESC",
        "With “i.title” first in “ORDER BY price DESC”"
      ),
      (
        "SELECT title FROM item i ORDER BY i.id, price DESC",
        "With “i.id” first in “ORDER BY price DESC”"
      ),
      (
        "SELECT title FROM item i ORDER BY i.price, price DESC",
        "With “i.price” first in “ORDER BY price DESC”"
      ),
      (
        "SELECT title FROM item i ORDER BY i.stock, price DESC",
        "With “i.stock” first in “ORDER BY price DESC”"
      )),
    OperatorCase("order by", "SELECT a FROM elsewhere ORDER BY a"),
  ])
  func orderBy(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "order less", "SELECT title FROM item ORDER BY price * ?, title LIMIT 3",
      ("SELECT title FROM item ORDER BY (1 OR ?) LIMIT 3", "Without “ORDER BY price * ?, title”"),
      ("SELECT title FROM item ORDER BY price * ? LIMIT 3", "Without “title” in its order")),
    OperatorCase(
      "order less", "SELECT title FROM item ORDER BY price, title LIMIT 3",
      ("SELECT title FROM item LIMIT 3", "Without “ORDER BY price, title”"),
      ("SELECT title FROM item ORDER BY title LIMIT 3", "Without “price” in its order"),
      ("SELECT title FROM item ORDER BY price LIMIT 3", "Without “title” in its order")),
  ])
  func orderLess(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "order more", "SELECT kind FROM fee LIMIT 1",
      ("SELECT kind FROM fee ORDER BY fee.loan_id LIMIT 1", "With “ORDER BY fee.loan_id”"),
      ("SELECT kind FROM fee ORDER BY fee.loan_id DESC LIMIT 1", "With “ORDER BY fee.loan_id DESC”"),
      ("SELECT kind FROM fee ORDER BY fee.kind LIMIT 1", "With “ORDER BY fee.kind”"),
      ("SELECT kind FROM fee ORDER BY fee.kind DESC LIMIT 1", "With “ORDER BY fee.kind DESC”"),
      ("SELECT kind FROM fee ORDER BY fee.rowid LIMIT 1", "With “ORDER BY fee.rowid”"),
      ("SELECT kind FROM fee ORDER BY fee.rowid DESC LIMIT 1", "With “ORDER BY fee.rowid DESC”"),
      ("SELECT kind FROM fee ORDER BY fee.cents LIMIT 1", "With “ORDER BY fee.cents”"),
      ("SELECT kind FROM fee ORDER BY fee.cents DESC LIMIT 1", "With “ORDER BY fee.cents DESC”")),
    OperatorCase(
      "order more", "SELECT title FROM item",
      ("SELECT title FROM item ORDER BY item.id", "With “ORDER BY item.id”"),
      ("SELECT title FROM item ORDER BY item.id DESC", "With “ORDER BY item.id DESC”")),
    OperatorCase("order more", "SELECT a FROM elsewhere"),
  ])
  func orderMore(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "limit", "SELECT title FROM item LIMIT ? OFFSET ?",
      (
        "SELECT title FROM item LIMIT CASE WHEN (1 OR ?) THEN -1 END OFFSET ?",
        "With no end for “LIMIT ? OFFSET ?”"
      ),
      ("SELECT title FROM item LIMIT ? OFFSET CASE WHEN (1 OR ?) THEN 0 END", "With OFFSET 0 for “?”"),
      ("SELECT title FROM item LIMIT (?) + 1 OFFSET ?", "With one row more than “?”"),
      ("SELECT title FROM item LIMIT (?) - 1 OFFSET ?", "With one row less than “?”"),
      ("SELECT title FROM item LIMIT ? OFFSET (?) + 1", "With one row skipped more than “?”"),
      ("SELECT title FROM item LIMIT ? OFFSET (?) - 1", "With one row skipped less than “?”")),
    OperatorCase(
      "limit", "SELECT title FROM item LIMIT 5, 10",
      ("SELECT title FROM item", "Without “LIMIT 5, 10”"),
      ("SELECT title FROM item LIMIT 0, 10", "With OFFSET 0 for “5”")),
    OperatorCase("limit", "SELECT title FROM item WHERE title = 'LIMIT 5'"),
  ])
  func limits(_ made: OperatorCase) { made.check() }
}
