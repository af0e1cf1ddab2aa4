/// Statements of an app that lends things, as different from each other as apps write them.
enum StatementCorpus {
  static let schema = [
    """
    CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, mail TEXT UNIQUE, joined TEXT DEFAULT
      CURRENT_TIMESTAMP, deleted_at TEXT, level INTEGER NOT NULL DEFAULT 1 CHECK (level > 0 AND level < 10))
    """,
    "CREATE TABLE item (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, price REAL, stock INTEGER, hidden INTEGER, tags TEXT)",
    """
    CREATE TABLE loan (id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES member(id) ON DELETE CASCADE,
      item_id INTEGER REFERENCES item(id), starts_at TEXT, ends_at TEXT, returned INTEGER DEFAULT 0, UNIQUE (item_id, starts_at))
    """,
    "CREATE TABLE fee (loan_id INTEGER, kind TEXT, cents INTEGER, PRIMARY KEY (loan_id, kind)) WITHOUT ROWID",
    "CREATE TABLE item_old (title TEXT, id INTEGER, price REAL)",
    "CREATE TABLE visit (id INTEGER PRIMARY KEY, began INTEGER, utc_offset INTEGER)",
    "CREATE VIEW open_loan AS SELECT l.id, l.member_id FROM loan l WHERE l.returned = 0 AND l.ends_at IS NULL",
    "CREATE INDEX loan_member ON loan(member_id, starts_at)",
    "CREATE UNIQUE INDEX member_mail ON member(mail) WHERE deleted_at IS NULL",
    """
    CREATE TRIGGER loan_out AFTER INSERT ON loan WHEN new.returned = 0 BEGIN
      UPDATE item SET stock = stock - 1 WHERE id = new.item_id AND stock > 0;
      INSERT INTO fee(loan_id, kind, cents) VALUES (new.id, CASE WHEN new.ends_at IS NULL THEN 'open' ELSE 'day' END, 100);
    END
    """,
    """
    CREATE TRIGGER loan_back BEFORE UPDATE OF returned, ends_at ON loan BEGIN
      SELECT RAISE(ABORT, 'returned twice') WHERE old.returned = 1 AND new.returned = 1;
    END
    """,
  ]

  static let reads = [
    "SELECT id FROM loan WHERE item_id = ? AND starts_at <= ? AND ends_at >= ?",
    "SELECT name, mail FROM member WHERE deleted_at IS NULL AND name LIKE '%' || ? || '%' ORDER BY joined DESC, name LIMIT ? OFFSET ?",
    "SELECT m.name, count(*), sum(f.cents), max(l.starts_at) AS last FROM member m JOIN loan l ON l.member_id = m.id LEFT JOIN fee f ON f.loan_id = l.id WHERE l.returned = 0 AND (f.kind = ? OR f.cents > 100) GROUP BY m.id HAVING count(*) > 1 ORDER BY m.name COLLATE NOCASE",
    "SELECT DISTINCT title FROM item WHERE stock BETWEEN ? AND ? OR hidden != 1",
    "SELECT title FROM item WHERE id NOT IN (SELECT item_id FROM loan WHERE returned = ?1) AND price < ?2",
    "SELECT title, price / stock, coalesce(tags, ?, 'none') FROM item WHERE (price > :low OR stock < :high) AND NOT (hidden = 1 OR title IS NULL)",
    "SELECT id FROM loan WHERE starts_at <= '2026-01-31' UNION SELECT loan_id FROM fee WHERE cents <> 0 ORDER BY 1",
    "SELECT id, row_number() OVER (PARTITION BY member_id ORDER BY starts_at) AS place, sum(returned) OVER w FROM loan WINDOW w AS (ORDER BY starts_at)",
    "SELECT sum(cents) OVER (ORDER BY loan_id RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM fee",
    "WITH RECURSIVE step(id, depth) AS (SELECT id, 0 FROM loan WHERE id = @start UNION ALL SELECT l.id, step.depth + 1 FROM loan l JOIN step ON l.member_id = step.id WHERE step.depth < 3) SELECT id FROM step",
    "SELECT max(price) - min(price), (SELECT name FROM member WHERE member.id = item.id) FROM item",
    "SELECT * FROM item WHERE EXISTS (SELECT 1 FROM loan WHERE loan.item_id = item.id AND returned = 0) AND tags ->> '$.a' = ?",
    "SELECT json_extract(tags, '$.a'), CAST(price AS INTEGER), substr(title, ?, 3) FROM item WHERE lower(title) = lower(?)",
    "SELECT id FROM loan WHERE date(starts_at) = date('now', '-1 day') AND ends_at BETWEEN ? AND ?",
    "SELECT (SELECT count(*) FROM loan WHERE member_id = m.id) FROM member m WHERE level >= ? AND mail = ? COLLATE NOCASE",
    "SELECT title FROM item ORDER BY price * ? DESC LIMIT 10, 5",
    "SELECT id FROM item WHERE CASE WHEN hidden = 1 AND stock > ? THEN 0 ELSE 1 END AND title IN (?, ?, 'x')",
    "SELECT a.id, b.id FROM loan a, loan b WHERE a.item_id = b.item_id AND a.id < b.id AND a.starts_at < b.ends_at",
    "SELECT id FROM member WHERE mail = $mail AND level = $level AND name = $mail",
    "SELECT id + ?, ? || name FROM member WHERE id = ?",
    "SELECT sum(price * stock) AS \"worth\", avg(price) FROM item WHERE title GLOB 'a*'",
    "VALUES ('a', ?), ('b', ?)",
    "SELECT date(began, 'unixepoch') AS day, count(*) FROM visit GROUP BY 1",
  ]

  static let writes = [
    "INSERT INTO member(name, mail, level) VALUES (?, ?, 2)",
    "INSERT OR REPLACE INTO member(id, name, mail) VALUES (?, ?, ?), (?, ?, ?)",
    "INSERT OR IGNORE INTO item(title, price, stock, hidden) VALUES (?1, ?2, ?3, 0)",
    "INSERT INTO fee(loan_id, kind, cents) VALUES (?, ?, ?) ON CONFLICT (loan_id, kind) DO UPDATE SET cents = cents + excluded.cents",
    "INSERT INTO member(id, name, mail) VALUES (:id, :name, :mail) ON CONFLICT(id) DO UPDATE SET name = excluded.name WHERE level < ? RETURNING id, name",
    "INSERT INTO member(id, name) VALUES (?, ?) ON CONFLICT DO NOTHING",
    "INSERT INTO item_old SELECT * FROM (SELECT title, id, price FROM item)",
    "INSERT INTO item(id, title) SELECT title, id FROM item_old WHERE price > ?",
    "INSERT INTO item_old SELECT id, title, price FROM item",
    "INSERT INTO item DEFAULT VALUES",
    "REPLACE INTO fee VALUES (?, 'x', ?)",
    "UPDATE item SET stock = stock - ?, price = ?, hidden = 1 WHERE id = ? AND stock >= ?",
    "UPDATE loan SET returned = 1, ends_at = ? WHERE member_id = ? AND returned = 0 RETURNING id, ends_at || 'x'",
    "UPDATE item SET price = o.price FROM item_old o WHERE o.id = item.id",
    "UPDATE member SET deleted_at = CURRENT_TIMESTAMP",
    "UPDATE item SET title = ? || substr(title, 3) WHERE tags LIKE ? || '%'",
    "DELETE FROM fee WHERE loan_id IN (SELECT loan_id FROM loan WHERE ends_at < ?)",
    "DELETE FROM loan WHERE returned = 1 AND (ends_at < ? OR item_id IS NULL)",
    "DELETE FROM fee",
    "WITH gone AS (SELECT id FROM loan WHERE returned = ?) DELETE FROM fee WHERE loan_id IN (SELECT id FROM gone)",
  ]

  static let others = [
    "BEGIN", "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK", "SAVEPOINT a", "RELEASE a", "ROLLBACK TO a",
    "PRAGMA foreign_keys = ON", "PRAGMA foreign_keys", "PRAGMA table_info(item)", "ATTACH 'x' AS y",
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?", "DROP INDEX loan_member",
    "ALTER TABLE item ADD COLUMN weight INTEGER NOT NULL DEFAULT 0", "ALTER TABLE item RENAME TO things",
  ]

  /// What only some operators change.
  static let particular = [
    "SELECT coalesce(json_extract(?, '$.a'), name) FROM member",
    "SELECT id FROM loan WHERE starts_at <= ?",
    "UPDATE fee SET cents = cents + ? WHERE loan_id = ? AND kind = ?",
    "SELECT price FROM item WHERE title = ?",
  ]

  static let all = schema + reads + writes + others + particular
}
