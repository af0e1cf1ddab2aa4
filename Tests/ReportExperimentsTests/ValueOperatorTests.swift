import Testing

@testable import ReportExperiments

/// Texts, numbers and moments.
@Suite struct ValueOperatorTests {
  @Test(arguments: [
    OperatorCase(
      "case of letters",
      "SELECT id FROM member WHERE mail = ? AND name <> 'x' COLLATE NOCASE AND level = ? AND mail IN (?, ?)",
      (
        "SELECT id FROM member WHERE mail = ? AND name <> 'x' AND level = ? AND mail IN (?, ?)",
        "Without COLLATE in “name <> 'x' COLLATE NOCASE”"
      ),
      (
        "SELECT id FROM member WHERE mail = ? COLLATE NOCASE AND name <> 'x' COLLATE NOCASE AND level = ? AND mail IN (?, ?)",
        "Without regard to the case of letters in “mail = ?”"
      ),
      (
        "SELECT id FROM member WHERE mail = ? AND name <> 'x' COLLATE NOCASE AND level = ? AND mail COLLATE NOCASE IN (?, ?)",
        "Without regard to the case of letters in “mail IN (?, ?)”"
      ))
  ])
  func caseOfLetters(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "pattern", "SELECT id FROM member WHERE name LIKE '%' || ? || '%'",
      (
        "SELECT id FROM member WHERE name GLOB replace(replace('%' || ? || '%', '%', '*'), '_', '?')",
        "With regard to the case of letters in “name LIKE '%' || ? || '%'”"
      ),
      (
        #"SELECT id FROM member WHERE name LIKE '%' || ? || '%' ESCAPE '\'"#,
        #"With ESCAPE '\' in “name LIKE '%' || ? || '%'”"#
      ),
      (
        #"SELECT id FROM member WHERE name LIKE '%' || replace(replace(replace(?, '\', '\\'), '%', '\%'), '_', '\_') || '%' ESCAPE '\'"#,
        "With the wildcards of its pattern escaped in “name LIKE '%' || ? || '%'”"
      )),
    OperatorCase(
      "pattern", "SELECT id FROM member WHERE name LIKE ? AND mail NOT LIKE 'a%' AND mail GLOB 'b'",
      (
        "SELECT id FROM member WHERE name GLOB replace(replace(?, '%', '*'), '_', '?') AND mail NOT LIKE 'a%' AND mail GLOB 'b'",
        "With regard to the case of letters in “name LIKE ?”"
      ),
      (
        #"SELECT id FROM member WHERE name LIKE ? ESCAPE '\' AND mail NOT LIKE 'a%' AND mail GLOB 'b'"#,
        #"With ESCAPE '\' in “name LIKE ?”"#
      ),
      (
        "SELECT id FROM member WHERE name = ? AND mail NOT LIKE 'a%' AND mail GLOB 'b'",
        "With “=” for LIKE in “name LIKE ?”"
      ),
      (
        "SELECT id FROM member WHERE name LIKE '%' || ? || '%' AND mail NOT LIKE 'a%' AND mail GLOB 'b'",
        "With LIKE anywhere in the text in “name LIKE ?”"
      ),
      (
        #"SELECT id FROM member WHERE name LIKE iif(substr(?1, 1, 1) = '%', '%', '') || replace(replace(replace(trim(?1, '%'), '\', '\\'), '%', '\%'), '_', '\_') || iif(length(?1) > 1 AND substr(?1, -1) = '%', '%', '') ESCAPE '\' AND mail NOT LIKE 'a%' AND mail GLOB 'b'"#,
        "With the wildcards of its pattern escaped in “name LIKE ?”"
      ),
      (
        "SELECT id FROM member WHERE name LIKE ? AND mail NOT GLOB replace(replace('a%', '%', '*'), '_', '?') AND mail GLOB 'b'",
        "With regard to the case of letters in “mail NOT LIKE 'a%'”"
      ),
      (
        "SELECT id FROM member WHERE name LIKE ? AND mail NOT LIKE 'a%' AND mail LIKE 'b'",
        "With LIKE for GLOB in “mail GLOB 'b'”"
      )),
    OperatorCase("pattern", "SELECT id FROM member WHERE name LIKE 'a' ESCAPE 'b'"),
  ])
  func pattern(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "part of path", "UPDATE item SET title = ? WHERE title LIKE ? || '%' AND stock > ?",
      (
        "UPDATE item SET title = ?1 WHERE (title = ?2 OR title LIKE ?2 || '/%') AND stock > ?3",
        "With the whole text or a beginning before “/” in “title LIKE ? || '%'”"
      ),
      (
        "UPDATE item SET title = ?1 WHERE (title = ?2 OR title LIKE ?2 || '.%') AND stock > ?3",
        "With the whole text or a beginning before “.” in “title LIKE ? || '%'”"
      )),
    OperatorCase(
      "part of path", "SELECT id FROM item WHERE title NOT LIKE :folder || '%'",
      (
        "SELECT id FROM item WHERE NOT (title = :folder OR title LIKE :folder || '/%')",
        "With the whole text or a beginning before “/” in “title NOT LIKE :folder || '%'”"
      ),
      (
        "SELECT id FROM item WHERE NOT (title = :folder OR title LIKE :folder || '.%')",
        "With the whole text or a beginning before “.” in “title NOT LIKE :folder || '%'”"
      )),
    OperatorCase("part of path", "SELECT id FROM item WHERE title LIKE ? OR title LIKE '%' || ? || '/%'"),
    OperatorCase("part of path", "SELECT id FROM item WHERE title LIKE ? || '%' ESCAPE 'x'"),
  ])
  func partOfPath(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "offset of row", "SELECT id FROM visit v WHERE date(v.began, 'unixepoch') = ?",
      (
        "SELECT id FROM visit v WHERE date(v.began + v.utc_offset, 'unixepoch') = ?",
        "With the row's “v.utc_offset” added in “date(v.began, 'unixepoch') = ?”"
      ),
      (
        "SELECT id FROM visit v WHERE date(v.began + v.utc_offset * 60, 'unixepoch') = ?",
        "With the row's “v.utc_offset” in minutes added in “date(v.began, 'unixepoch') = ?”"
      ),
      (
        "SELECT id FROM visit v WHERE date(v.began - v.utc_offset, 'unixepoch') = ?",
        "With the row's “v.utc_offset” taken off in “date(v.began, 'unixepoch') = ?”"
      )),
    OperatorCase("offset of row", "SELECT date(began + utc_offset, 'unixepoch'), date(?) FROM visit"),
    OperatorCase("offset of row", "SELECT date(starts_at) FROM loan"),
  ])
  func offsetOfRow(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "outer name", "DELETE FROM fee WHERE loan_id IN (SELECT loan_id FROM item_old WHERE price < ?)",
      (
        "DELETE FROM fee WHERE loan_id IN (SELECT item_old.title FROM item_old WHERE price < ?)",
        "With “item_old.title” for “loan_id”, which “item_old” does not have, in “loan_id IN (SELECT loan_id FROM item_old WHERE price < ?)”"
      ),
      (
        "DELETE FROM fee WHERE loan_id IN (SELECT item_old.id FROM item_old WHERE price < ?)",
        "With “item_old.id” for “loan_id”, which “item_old” does not have, in “loan_id IN (SELECT loan_id FROM item_old WHERE price < ?)”"
      ),
      (
        "DELETE FROM fee WHERE loan_id IN (SELECT item_old.price FROM item_old WHERE price < ?)",
        "With “item_old.price” for “loan_id”, which “item_old” does not have, in “loan_id IN (SELECT loan_id FROM item_old WHERE price < ?)”"
      )),
    // Its own column, one that is said to be the outer row's, and a table that nobody knows.
    OperatorCase("outer name", "DELETE FROM fee WHERE loan_id IN (SELECT id FROM loan)"),
    OperatorCase("outer name", "DELETE FROM fee WHERE loan_id IN (SELECT fee.loan_id FROM loan)"),
    OperatorCase("outer name", "DELETE FROM fee WHERE loan_id IN (SELECT loan_id FROM unknown)"),
    OperatorCase(
      "outer name", "DELETE FROM fee WHERE loan_id IN (SELECT loan_id FROM (SELECT id AS loan_id FROM loan))"),
  ])
  func outerName(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    // All places at once, but for those of the join.
    OperatorCase(
      "other table",
      "SELECT i.price, count(*) FROM loan l JOIN item AS i ON i.id = l.item_id JOIN item_old o ON o.id = i.id GROUP BY i.price",
      (
        "SELECT o.price AS \"price\", count(*) FROM loan l JOIN item AS i ON i.id = l.item_id JOIN item_old o ON o.id = i.id GROUP BY o.price",
        "With “o.price” for “i.price”"
      )),
    OperatorCase("other table", "SELECT l.starts_at FROM loan l JOIN item ON item.id = l.item_id"),
    OperatorCase("other table", "SELECT id FROM loan WHERE loan.id = 1"),
    OperatorCase("other table", "SELECT m.id FROM member m WHERE EXISTS (SELECT 1 FROM loan)"),
  ])
  func otherTable(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "trimmed", "SELECT id FROM member WHERE mail = ? AND level = ?",
      (
        "SELECT id FROM member WHERE trim(mail) = trim(?) AND level = ?",
        "With trim(…) on both sides of “mail = ?”"
      ),
      (
        "SELECT id FROM member WHERE trim(mail) = ? AND level = ?", "With trim(…) around “mail” in “mail = ?”"
      ),
      ("SELECT id FROM member WHERE mail = trim(?) AND level = ?", "With trim(…) around “?” in “mail = ?”"),
      (
        "SELECT id FROM member WHERE lower(mail) = lower(?) AND level = ?",
        "With lower(…) on both sides of “mail = ?”"
      ),
      (
        "SELECT id FROM member WHERE lower(mail) = ? AND level = ?",
        "With lower(…) around “mail” in “mail = ?”"
      ),
      ("SELECT id FROM member WHERE mail = lower(?) AND level = ?", "With lower(…) around “?” in “mail = ?”")),
    OperatorCase("trimmed", "UPDATE member SET mail = ?"),
  ])
  func trimmed(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "part of text", "SELECT substr(name, ?, 3) FROM member",
      (
        #"SELECT substr(name, (?) + 1, 3) AS "substr(name, ?, 3)" FROM member"#,
        "With one more than “?” in “substr(name, ?, 3)”"
      ),
      (
        #"SELECT substr(name, (?) - 1, 3) AS "substr(name, ?, 3)" FROM member"#,
        "With one less than “?” in “substr(name, ?, 3)”"
      )),
    OperatorCase("part of text", "SELECT length(name) FROM member"),
  ])
  func partOfText(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "type", "SELECT id FROM member WHERE mail = ? AND level = ? AND ? < json_each.value",
      (
        "SELECT id FROM member WHERE CAST(mail AS INTEGER) = ? AND level = ? AND ? < json_each.value",
        "With “mail” as an integer in “mail = ?”"
      ),
      (
        "SELECT id FROM member WHERE CAST(mail AS REAL) = ? AND level = ? AND ? < json_each.value",
        "With “mail” as a number in “mail = ?”"
      ),
      (
        "SELECT id FROM member WHERE mail = ? AND level = ? AND CAST(? AS TEXT) < json_each.value",
        "With “?” as a text in “? < json_each.value”"
      ),
      (
        "SELECT id FROM member WHERE mail = ? AND level = ? AND CAST(? AS INTEGER) < json_each.value",
        "With “?” as an integer in “? < json_each.value”"
      ),
      (
        "SELECT id FROM member WHERE mail = ? AND level = ? AND CAST(? AS REAL) < json_each.value",
        "With “?” as a number in “? < json_each.value”"
      ),
      (
        "SELECT id FROM member WHERE mail = ? AND level = ? AND ? < CAST(json_each.value AS TEXT)",
        "With “json_each.value” as a text in “? < json_each.value”"
      ),
      (
        "SELECT id FROM member WHERE mail = ? AND level = ? AND ? < CAST(json_each.value AS INTEGER)",
        "With “json_each.value” as an integer in “? < json_each.value”"
      ),
      (
        "SELECT id FROM member WHERE mail = ? AND level = ? AND ? < CAST(json_each.value AS REAL)",
        "With “json_each.value” as a number in “? < json_each.value”"
      )),
    OperatorCase("type", "SELECT id FROM member WHERE level = ?"),
  ])
  func types(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "cast", "SELECT CAST(name AS INTEGER) FROM member",
      (#"SELECT (name) AS "CAST(name AS INTEGER)" FROM member"#, "Without CAST in “CAST(name AS INTEGER)”"),
      (
        #"SELECT CAST(name AS TEXT) AS "CAST(name AS INTEGER)" FROM member"#,
        "With CAST AS TEXT in “CAST(name AS INTEGER)”"
      ),
      (
        #"SELECT CAST(name AS REAL) AS "CAST(name AS INTEGER)" FROM member"#,
        "With CAST AS REAL in “CAST(name AS INTEGER)”"
      )),
    OperatorCase("cast", "SELECT name FROM member"),
  ])
  func casts(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "division", "SELECT price / 100 FROM item",
      (
        #"SELECT price * 1.0 / 100 AS "price / 100" FROM item"#,
        "With a division that keeps the fraction in “price / 100”"
      )),
    OperatorCase("division", "SELECT '/' FROM item"),
  ])
  func division(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "constant", "SELECT id FROM item WHERE stock < 250 AND price > 1.5 AND hidden = 0 ORDER BY 1",
      (
        "SELECT id FROM item WHERE stock < 251 AND price > 1.5 AND hidden = 0 ORDER BY 1",
        "With 251 for 250 in “stock < 250”"
      ),
      (
        "SELECT id FROM item WHERE stock < 249 AND price > 1.5 AND hidden = 0 ORDER BY 1",
        "With 249 for 250 in “stock < 250”"
      ),
      (
        "SELECT id FROM item WHERE stock < 2500 AND price > 1.5 AND hidden = 0 ORDER BY 1",
        "With 2500 for 250 in “stock < 250”"
      ),
      (
        "SELECT id FROM item WHERE stock < 25000 AND price > 1.5 AND hidden = 0 ORDER BY 1",
        "With 25000 for 250 in “stock < 250”"
      ),
      (
        "SELECT id FROM item WHERE stock < 2.50 AND price > 1.5 AND hidden = 0 ORDER BY 1",
        "With 2.50 for 250 in “stock < 250”"
      ),
      (
        "SELECT id FROM item WHERE stock < 250 AND price > 15.0 AND hidden = 0 ORDER BY 1",
        "With 15.0 for 1.5 in “price > 1.5”"
      ),
      (
        "SELECT id FROM item WHERE stock < 250 AND price > 0.015 AND hidden = 0 ORDER BY 1",
        "With 0.015 for 1.5 in “price > 1.5”"
      ),
      (
        "SELECT id FROM item WHERE stock < 250 AND price > 1.5 AND hidden = 1 ORDER BY 1",
        "With 1 for 0 in “hidden = 0”"
      )),
    OperatorCase("constant", "SELECT id FROM item WHERE EXISTS (SELECT 1 FROM loan)"),
  ])
  func constants(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "arithmetic", "SELECT price + stock, -price FROM item",
      (#"SELECT price - stock AS "price + stock", -price FROM item"#, "With “-” for “+” in “price + stock”")),
    OperatorCase("arithmetic", "SELECT -price, count(*) FROM item"),
  ])
  func arithmetic(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "whole day",
      "SELECT id FROM loan WHERE ends_at <= '2026-01-31' AND starts_at BETWEEN ? AND ? AND returned <= ?",
      (
        "SELECT id FROM loan WHERE ends_at < date('2026-01-31', '+1 day') AND starts_at BETWEEN ? AND ? AND returned <= ?",
        "With all of the last day in “ends_at <= '2026-01-31'”"
      ),
      (
        "SELECT id FROM loan WHERE ends_at <= '2026-01-31' AND (starts_at >= ? AND starts_at < date(?, '+1 day')) AND returned <= ?",
        "With all of the last day in “starts_at BETWEEN ? AND ?”"
      )),
    OperatorCase("whole day", "SELECT id FROM loan WHERE ends_at <= 'x' AND ends_at < '2026-01-31'"),
  ])
  func wholeDay(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "day of moment", "SELECT id FROM loan WHERE ends_at = ? AND returned = ?",
      (
        "SELECT id FROM loan WHERE date(ends_at) = date(?) AND returned = ?",
        "With date(…) on both sides of “ends_at = ?”"
      ),
      (
        "SELECT id FROM loan WHERE date(ends_at) = ? AND returned = ?",
        "With date(…) around “ends_at” in “ends_at = ?”"
      ),
      (
        "SELECT id FROM loan WHERE ends_at = date(?) AND returned = ?",
        "With date(…) around “?” in “ends_at = ?”"
      ),
      (
        "SELECT id FROM loan WHERE datetime(ends_at) = datetime(?) AND returned = ?",
        "With datetime(…) on both sides of “ends_at = ?”"
      ),
      (
        "SELECT id FROM loan WHERE datetime(ends_at) = ? AND returned = ?",
        "With datetime(…) around “ends_at” in “ends_at = ?”"
      ),
      (
        "SELECT id FROM loan WHERE ends_at = datetime(?) AND returned = ?",
        "With datetime(…) around “?” in “ends_at = ?”"
      )),
    OperatorCase("day of moment", "SELECT id FROM loan WHERE returned = ?"),
  ])
  func dayOfMoment(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "unit of time", "SELECT id FROM loan WHERE returned < ? AND ends_at < ?",
      (
        "SELECT id FROM loan WHERE returned < ? * 1000 AND ends_at < ?",
        "With a thousand times “?” in “returned < ?”"
      ),
      (
        "SELECT id FROM loan WHERE returned < ? / 1000 AND ends_at < ?",
        "With a thousandth of “?” in “returned < ?”"
      ))
  ])
  func unitOfTime(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "value in json", "SELECT tags -> '$.a', tags ->> '$.b', json_extract(tags, '$.c') FROM item",
      (
        #"SELECT tags ->> '$.a' AS "tags -> '$.a'", tags ->> '$.b', json_extract(tags, '$.c') FROM item"#,
        "With “->>” for “->” in “tags -> '$.a'”"
      ),
      (
        #"SELECT tags -> '$.a', tags -> '$.b' AS "tags ->> '$.b'", json_extract(tags, '$.c') FROM item"#,
        "With “->” for “->>” in “tags ->> '$.b'”"
      ),
      (
        #"SELECT tags -> '$.a', tags ->> '$.b', (tags -> '$.c') AS "json_extract(tags, '$.c')" FROM item"#,
        "With “->” for json_extract in “json_extract(tags, '$.c')”"
      )),
    OperatorCase("value in json", "SELECT tags - '$.a' FROM item"),
  ])
  func valueInJson(_ made: OperatorCase) { made.check() }
}
