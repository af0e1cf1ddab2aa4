/// SQL that makes tables with something special about them.
enum SchemaSQL {
  /// As Django and others declare it.
  static let notes = """
    CREATE TABLE "note" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
      "data" text NOT NULL CHECK ((JSON_VALID("data") OR "data" IS NULL)));
    INSERT INTO note(data) VALUES ('{"a": 1}'), ('[]');
    CREATE TABLE made (id INTEGER PRIMARY KEY, doc TEXT, offsets,
      kind TEXT GENERATED ALWAYS AS (json_extract(doc, '$.kind')) VIRTUAL,
      size INT GENERATED ALWAYS AS ("json_array_length"(doc, '$.list')) STORED, arrow AS (doc ->> '$.kind'));
    INSERT INTO made(id, doc) VALUES (1, '{"kind": "b", "list": [1, 2]}'), (2, '{"kind": "a", "list": []}');
    CREATE INDEX by_kind ON made (json_extract(doc, '$.kind'));
    CREATE UNIQUE INDEX valid ON made (doc) WHERE json_valid(doc);
    CREATE TABLE strictly (id INTEGER PRIMARY KEY, doc TEXT DEFAULT (json_object('a', 1)) CHECK (json_type(doc) = 'object'))
      STRICT;
    INSERT INTO strictly(id) VALUES (1);
    CREATE VIRTUAL TABLE search USING fts5(json_settings);
    CREATE VIEW grouped AS SELECT json_group_array(json_set(data, '$.b', 2)) FROM note;
    CREATE TRIGGER patched AFTER INSERT ON note BEGIN UPDATE note SET data = json_patch(data, '{}'); END;
    """

  /// A table for each number, with two keys that refer to no row, both in row 7.
  static func brokenKeys(tables: Int) -> String {
    let children = (1...tables).map { number in
      """
      CREATE TABLE t\(number) (id INTEGER PRIMARY KEY, a INTEGER REFERENCES parent, b INTEGER REFERENCES parent);
      INSERT INTO t\(number) VALUES (1, 1, 1), (7, 42, 43);
      """
    }
    return "CREATE TABLE parent (id INTEGER PRIMARY KEY); INSERT INTO parent VALUES (1);"
      + children.joined(separator: "\n")
  }

  /// Something of every kind that a database alone shows.
  static func everything(table: String = "t", column: String = "a") -> String {
    let table = "\"\(table.replacing("\"", with: "\"\""))\""
    let column = "\"\(column.replacing("\"", with: "\"\""))\""
    return """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE \(table) (id INTEGER PRIMARY KEY, \(column) REAL, "x y" TEXT, at TEXT, k TEXT UNIQUE, p INTEGER REFERENCES p);
      CREATE TABLE e (id INTEGER PRIMARY KEY, one TEXT, two TEXT, three TEXT);
      \(numbers(100)) INSERT INTO \(table) SELECT i + 10, i, 'n' || i, '2026-05-01T10:00Z', i, NULL FROM n;
      \(numbers(100)) INSERT INTO e SELECT i + 10, 'secret' || i, 'b', 'c' FROM n;
      INSERT INTO e SELECT 5, one, two, three FROM e WHERE id = 20;
      INSERT INTO \(table) VALUES (1, '1,5 secret', '', 'secret', 'secret', 77), (2, '12,50', NULL, '01.05.2026', 'Secret', NULL);
      CREATE TRIGGER "tr<i>1" AFTER INSERT ON \(table) BEGIN UPDATE e SET one = 'secret'; END;
      CREATE TRIGGER "tr
      2" AFTER INSERT ON \(table) BEGIN UPDATE e SET one = 'secret2'; END;
      """
  }

  /// A table of so many rows, each with a value that `i` may be in.
  static func rows(of table: String, _ count: Int, _ value: String) -> String {
    """
    CREATE TABLE \(table)(id INTEGER PRIMARY KEY, v);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
    INSERT INTO \(table) SELECT i, \(value) FROM n;

    """
  }
}
