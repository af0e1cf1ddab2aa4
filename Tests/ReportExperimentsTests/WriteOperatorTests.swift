import Testing

@testable import ReportExperiments

/// What is written.
@Suite struct WriteOperatorTests {
  @Test(arguments: [
    OperatorCase(
      "assignment less", "UPDATE item SET title = ?, stock = 0, price = ? WHERE id = ?",
      (
        "UPDATE item SET title = CASE WHEN (1 OR ?) THEN title END, stock = 0, price = ? WHERE id = ?",
        "Without “title = ?” in SET"
      ),
      ("UPDATE item SET title = ?, price = ? WHERE id = ?", "Without “stock = 0” in SET"),
      (
        "UPDATE item SET title = ?, stock = 0, price = CASE WHEN (1 OR ?) THEN price END WHERE id = ?",
        "Without “price = ?” in SET"
      )),
    OperatorCase("assignment less", "UPDATE item SET title = ?"),
  ])
  func assignmentLess(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "assigned value", "UPDATE item SET stock = stock - ?, title = ?",
      ("UPDATE item SET stock = ?, title = ?", "With “stock = ?” for “stock = stock - ?”"),
      (
        "UPDATE item SET stock = stock - ?, title = coalesce(?, title)",
        "With “title = coalesce(?, title)” for “title = ?”"
      ),
      (
        "UPDATE item SET stock = stock - ?, title = coalesce(title, ?)",
        "With “title = coalesce(title, ?)” for “title = ?”"
      )),
    OperatorCase("assigned value", "UPDATE item SET stock = 3"),
    OperatorCase(
      "assigned value", "UPDATE member SET name = ? WHERE id = 3",
      (
        "UPDATE member SET name = coalesce(?, name) WHERE id = 3",
        "With “name = coalesce(?, name)” for “name = ?”"
      ),
      (
        "UPDATE member SET name = coalesce(name, ?) WHERE id = 3",
        "With “name = coalesce(name, ?)” for “name = ?”"
      )),
  ])
  func assignedValue(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "columns by name", "INSERT INTO item_old SELECT * FROM item",
      (
        "INSERT INTO item_old (title, id, price) SELECT title, id, price FROM item",
        "With columns by name in “INSERT INTO item_old”"
      )),
    OperatorCase(
      "columns by name", "INSERT INTO item(id, title) SELECT title, id FROM item_old",
      (
        "INSERT INTO item(title, id) SELECT title, id FROM item_old",
        "With columns by name in “INSERT INTO item(id, title)”"
      )),
    OperatorCase("columns by name", "INSERT INTO item_old SELECT id, upper(title), 1 FROM item"),
  ])
  func columnsByName(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "column left out", "INSERT INTO item(title, price, stock) VALUES (?, 2, ?), ('x', 3, 4)",
      (
        "INSERT INTO item(price, stock) VALUES (CASE WHEN (1 OR ?) THEN 2 END, ?), (3, 4)",
        "With “title” left to its default in “INSERT INTO item(title, price, stock)”"
      ),
      (
        "INSERT INTO item(title, stock) VALUES (?, ?), ('x', 4)",
        "With “price” left to its default in “INSERT INTO item(title, price, stock)”"
      ),
      (
        "INSERT INTO item(title, price) VALUES (?, CASE WHEN (1 OR ?) THEN 2 END), ('x', 3)",
        "With “stock” left to its default in “INSERT INTO item(title, price, stock)”"
      )),
    OperatorCase("column left out", "INSERT INTO item(title) VALUES (?)"),
  ])
  func columnLeftOut(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "column more", "INSERT INTO member(name) VALUES (?)",
      ("INSERT INTO member(name, level) VALUES (?, 3)", "With “3” in member.level"),
      ("INSERT INTO member(name, deleted_at) VALUES (?, NULL)", "With “NULL” in member.deleted_at")),
    OperatorCase(
      "column more", "UPDATE member SET name = ? WHERE id = ?",
      ("UPDATE member SET name = ?, level = 3 WHERE id = ?", "With “level = 3” more in “SET name = ?”"),
      (
        "UPDATE member SET name = ?, deleted_at = NULL WHERE id = ?",
        "With “deleted_at = NULL” more in “SET name = ?”"
      )),
  ])
  func columnMore(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "or replace", "INSERT OR IGNORE INTO item(id) VALUES (?)",
      ("INSERT INTO item(id) VALUES (?)", "With “INSERT” for “INSERT OR IGNORE”"),
      ("INSERT OR REPLACE INTO item(id) VALUES (?)", "With “INSERT OR REPLACE” for “INSERT OR IGNORE”")),
    OperatorCase(
      "or replace", "REPLACE INTO item(id) VALUES (?)",
      ("INSERT INTO item(id) VALUES (?)", "With “INSERT” for “REPLACE”"),
      ("INSERT OR IGNORE INTO item(id) VALUES (?)", "With “INSERT OR IGNORE” for “REPLACE”")),
    OperatorCase(
      "or replace", "UPDATE item SET id = ?",
      ("UPDATE OR REPLACE item SET id = ?", "With “UPDATE OR REPLACE” for “UPDATE”"),
      ("UPDATE OR IGNORE item SET id = ?", "With “UPDATE OR IGNORE” for “UPDATE”")),
    OperatorCase("or replace", "SELECT replace(title, 'a', 'b') FROM item"),
  ])
  func orReplace(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "on conflict", "INSERT INTO item(id, title) SELECT id, title FROM item_old",
      (
        "INSERT INTO item(id, title) SELECT id, title FROM item_old WHERE 1 ON CONFLICT DO UPDATE SET title = excluded.title",
        "With DO UPDATE of all columns in “INSERT INTO item(id, title)”"
      ),
      (
        "INSERT INTO item(id, title) SELECT id, title FROM item_old WHERE 1 ON CONFLICT DO UPDATE SET title = coalesce(excluded.title, item.title)",
        "With DO UPDATE of all columns that are not NULL in “INSERT INTO item(id, title)”"
      ),
      (
        "INSERT INTO item(id, title) SELECT id, title FROM item_old WHERE 1 ON CONFLICT DO NOTHING",
        "With ON CONFLICT DO NOTHING in “INSERT INTO item(id, title)”"
      )),
    OperatorCase(
      "on conflict", "INSERT INTO item(id, title) VALUES (?, ?) ON CONFLICT (id) DO NOTHING RETURNING id",
      ("INSERT INTO item(id, title) VALUES (?, ?) RETURNING id", "Without “ON CONFLICT (id) DO NOTHING”"),
      (
        "INSERT OR REPLACE INTO item(id, title) VALUES (?, ?) RETURNING id",
        "With OR REPLACE for “ON CONFLICT (id) DO NOTHING”"
      ),
      (
        "INSERT INTO item(id, title) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title RETURNING id",
        "With DO UPDATE of all columns for “DO NOTHING”"
      ),
      (
        "INSERT INTO item(id, title) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET title = coalesce(excluded.title, item.title) RETURNING id",
        "With DO UPDATE of all columns that are not NULL for “DO NOTHING”"
      ),
      (
        "INSERT INTO item(id, title) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title WHERE excluded.title > item.title RETURNING id",
        "With DO UPDATE of all columns by rows that are larger in “title” for “DO NOTHING”"
      )),
    OperatorCase(
      "on conflict", "INSERT INTO item(id, title) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET title = ?",
      (
        "INSERT INTO item(id, title) VALUES (?1, CASE WHEN (1 OR ?3) THEN ?2 END)",
        "Without “ON CONFLICT (id) DO UPDATE SET title = ?”"
      ),
      (
        "INSERT OR REPLACE INTO item(id, title) VALUES (?1, CASE WHEN (1 OR ?3) THEN ?2 END)",
        "With OR REPLACE for “ON CONFLICT (id) DO UPDATE SET title = ?”"
      ),
      (
        "INSERT INTO item(id, title) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title WHERE (0 AND ?)",
        "With DO NOTHING for “DO UPDATE SET title = ?”"
      ),
      (
        "INSERT INTO item(id, title) VALUES (?1, CASE WHEN (1 OR ?3) THEN ?2 END) ON CONFLICT (id) DO UPDATE SET title = excluded.title",
        "With DO UPDATE of all columns for “DO UPDATE SET title = ?”"
      ),
      (
        "INSERT INTO item(id, title) VALUES (?1, CASE WHEN (1 OR ?3) THEN ?2 END) ON CONFLICT (id) DO UPDATE SET title = coalesce(excluded.title, item.title)",
        "With DO UPDATE of all columns that are not NULL for “DO UPDATE SET title = ?”"
      )),
  ])
  func onConflict(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "upsert",
      "INSERT INTO item(id, title, price) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title || title",
      (
        "INSERT INTO item(id, title, price) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title || title, price = excluded.price",
        "With “price = excluded.price” more in “SET title = excluded.title || title”"
      ),
      (
        "INSERT INTO item(id, title, price) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET title = item.title || title",
        "With “item.title” for “excluded.title” in “excluded.title || title”"
      ),
      (
        "INSERT INTO item(id, title, price) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title || excluded.title",
        "With “excluded.title” for “title” in “excluded.title || title”"
      )),
    OperatorCase("upsert", "INSERT INTO item(id) VALUES (?) ON CONFLICT DO NOTHING"),
  ])
  func upsert(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "newer row",
      "INSERT INTO item(id, title) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title",
      (
        "INSERT INTO item(id, title) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title WHERE excluded.title > item.title",
        "With the condition “excluded.title > item.title” for “SET title = excluded.title”"
      ),
      (
        "INSERT INTO item(id, title) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title WHERE excluded.title >= item.title",
        "With the condition “excluded.title >= item.title” for “SET title = excluded.title”"
      )),
    OperatorCase(
      "newer row",
      "INSERT INTO item(id, title) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title WHERE id > 3"
    ),
  ])
  func newerRow(_ made: OperatorCase) { made.check() }
}
