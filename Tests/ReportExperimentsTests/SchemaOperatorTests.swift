import Testing

@testable import ReportExperiments

/// Tables, indexes and triggers.
@Suite struct SchemaOperatorTests {
  @Test(arguments: [
    OperatorCase(
      "unique index", "CREATE UNIQUE INDEX a ON member(mail)",
      ("CREATE INDEX a ON member(mail)", "With the index not UNIQUE")),
    OperatorCase(
      "unique index", "CREATE INDEX a ON member(mail)",
      ("CREATE UNIQUE INDEX a ON member(mail)", "With the index UNIQUE")),
    OperatorCase("unique index", "CREATE TABLE a (b)"),
  ])
  func uniqueIndex(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "index of all rows", "CREATE INDEX a ON member(mail) WHERE deleted_at IS NULL",
      ("CREATE INDEX a ON member(mail)", "With the index without “WHERE deleted_at IS NULL”")),
    OperatorCase("index of all rows", "CREATE INDEX a ON member(mail)"),
  ])
  func indexOfAllRows(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "index columns", "CREATE UNIQUE INDEX a ON fee(loan_id, kind)",
      ("CREATE UNIQUE INDEX a ON fee(kind)", "With the index without “loan_id”"),
      ("CREATE UNIQUE INDEX a ON fee(loan_id)", "With the index without “kind”"),
      ("CREATE UNIQUE INDEX a ON fee(loan_id, kind, cents)", "With the index of cents too")),
    OperatorCase("index columns", "CREATE INDEX a ON fee(kind)"),
  ])
  func indexColumns(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "time of trigger", "CREATE TRIGGER a BEFORE INSERT ON loan BEGIN SELECT 1; END",
      ("CREATE TRIGGER a AFTER INSERT ON loan BEGIN SELECT 1; END", "With the trigger AFTER for BEFORE")),
    OperatorCase(
      "time of trigger", "CREATE TRIGGER a INSERT ON loan BEGIN SELECT 1; END",
      (
        "CREATE TRIGGER a AFTER INSERT ON loan BEGIN SELECT 1; END",
        "With the trigger AFTER its rows are written"
      )),
    OperatorCase("time of trigger", "CREATE TRIGGER a INSTEAD OF INSERT ON loan BEGIN SELECT 1; END"),
  ])
  func timeOfTrigger(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "trigger of all rows",
      "CREATE TRIGGER a AFTER UPDATE OF id, returned ON loan WHEN new.id > 1 BEGIN SELECT 1; END",
      (
        "CREATE TRIGGER a AFTER UPDATE OF id, returned ON loan BEGIN SELECT 1; END",
        "With the trigger without “WHEN new.id > 1”"
      ),
      (
        "CREATE TRIGGER a AFTER UPDATE ON loan WHEN new.id > 1 BEGIN SELECT 1; END",
        "With the trigger of all columns"
      ),
      (
        "CREATE TRIGGER a AFTER UPDATE OF returned ON loan WHEN new.id > 1 BEGIN SELECT 1; END",
        "With the trigger without OF “id”"
      ),
      (
        "CREATE TRIGGER a AFTER UPDATE OF id ON loan WHEN new.id > 1 BEGIN SELECT 1; END",
        "With the trigger without OF “returned”"
      )),
    OperatorCase("trigger of all rows", "CREATE TRIGGER a AFTER UPDATE ON loan BEGIN SELECT 1; END"),
  ])
  func triggerOfAllRows(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "trigger statement",
      "CREATE TRIGGER a AFTER DELETE ON loan BEGIN DELETE FROM fee; UPDATE item SET stock = CASE WHEN 1 THEN 2 END; END",
      (
        "CREATE TRIGGER a AFTER DELETE ON loan BEGIN UPDATE item SET stock = CASE WHEN 1 THEN 2 END; END",
        "With the trigger without “DELETE FROM fee”"
      ),
      (
        "CREATE TRIGGER a AFTER DELETE ON loan BEGIN DELETE FROM fee; END",
        "With the trigger without “UPDATE item SET stock = CASE WHEN 1 THEN 2 END”"
      )),
    OperatorCase("trigger statement", "CREATE TRIGGER a AFTER UPDATE ON loan BEGIN SELECT 1; END"),
  ])
  func triggerStatement(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "old and new",
      "CREATE TRIGGER a AFTER UPDATE ON loan BEGIN UPDATE fee SET cents = new.id WHERE loan_id = OLD.id; END",
      (
        "CREATE TRIGGER a AFTER UPDATE ON loan BEGIN UPDATE fee SET cents = OLD.id WHERE loan_id = OLD.id; END",
        "With OLD for NEW in “new.id”"
      ),
      (
        "CREATE TRIGGER a AFTER UPDATE ON loan BEGIN UPDATE fee SET cents = new.id WHERE loan_id = NEW.id; END",
        "With NEW for OLD in “loan_id = OLD.id”"
      )),
    OperatorCase("old and new", "CREATE TRIGGER a AFTER INSERT ON loan BEGIN SELECT new.id; END"),
  ])
  func oldAndNew(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "column of row",
      "CREATE TRIGGER a AFTER UPDATE ON fee BEGIN UPDATE loan SET returned = NEW.cents WHERE id = OLD.loan_id; END",
      (
        "CREATE TRIGGER a AFTER UPDATE ON fee BEGIN UPDATE loan SET returned = NEW.loan_id WHERE id = OLD.loan_id; END",
        "With “NEW.loan_id” for “NEW.cents”"
      ),
      (
        "CREATE TRIGGER a AFTER UPDATE ON fee BEGIN UPDATE loan SET returned = NEW.cents WHERE id = OLD.cents; END",
        "With “OLD.cents” for “OLD.loan_id” in “id = OLD.loan_id”"
      )),
    OperatorCase("column of row", "CREATE TRIGGER a AFTER INSERT ON unknown BEGIN SELECT new.id; END"),
    OperatorCase("column of row", "SELECT new.id FROM loan new"),
  ])
  func columnOfRow(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "raise", "CREATE TRIGGER a AFTER INSERT ON loan BEGIN SELECT RAISE(ABORT, 'no'); END",
      (
        "CREATE TRIGGER a AFTER INSERT ON loan BEGIN SELECT RAISE(IGNORE); END",
        "With RAISE(IGNORE) for “RAISE(ABORT, 'no')”"
      )),
    OperatorCase("raise", "SELECT upper('RAISE(ABORT)')"),
  ])
  func raises(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "constraint less",
      "CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT NOT NULL DEFAULT 'x' UNIQUE, c INT CHECK (c > 0) REFERENCES d(e), UNIQUE (b, c))",
      (
        "CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT DEFAULT 'x' UNIQUE, c INT CHECK (c > 0) REFERENCES d(e), UNIQUE (b, c))",
        "Without “NOT NULL” at “b”"
      ),
      (
        "CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT NOT NULL UNIQUE, c INT CHECK (c > 0) REFERENCES d(e), UNIQUE (b, c))",
        "Without “DEFAULT 'x'” at “b”"
      ),
      (
        "CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT NOT NULL DEFAULT 'x', c INT CHECK (c > 0) REFERENCES d(e), UNIQUE (b, c))",
        "Without “UNIQUE” at “b”"
      ),
      (
        "CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT NOT NULL DEFAULT 'x' UNIQUE, c INT REFERENCES d(e), UNIQUE (b, c))",
        "Without “CHECK (c > 0)” at “c”"
      ),
      (
        "CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT NOT NULL DEFAULT 'x' UNIQUE, c INT CHECK (c > 0), UNIQUE (b, c))",
        "Without “REFERENCES d(e)” at “c”"
      ),
      (
        "CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT NOT NULL DEFAULT 'x' UNIQUE, c INT CHECK (c > 0) REFERENCES d(e))",
        "Without “UNIQUE (b, c)”"
      )),
    OperatorCase(
      "constraint less", "ALTER TABLE a ADD COLUMN b INTEGER NOT NULL DEFAULT 0",
      ("ALTER TABLE a ADD COLUMN b INTEGER DEFAULT 0", "Without “NOT NULL” at “b”"),
      ("ALTER TABLE a ADD COLUMN b INTEGER NOT NULL", "Without “DEFAULT 0” at “b”")),
    OperatorCase("constraint less", "CREATE TABLE a AS SELECT b FROM c WHERE d IS NOT NULL"),
  ])
  func constraintLess(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "action of key", "CREATE TABLE a (b INT REFERENCES c(d) ON DELETE CASCADE, e INT REFERENCES f)",
      (
        "CREATE TABLE a (b INT REFERENCES c(d) ON DELETE SET NULL, e INT REFERENCES f)",
        "With ON DELETE SET NULL for “CASCADE” in “REFERENCES c(d) ON DELETE CASCADE”"
      ),
      (
        "CREATE TABLE a (b INT REFERENCES c(d) ON DELETE RESTRICT, e INT REFERENCES f)",
        "With ON DELETE RESTRICT for “CASCADE” in “REFERENCES c(d) ON DELETE CASCADE”"
      ),
      (
        "CREATE TABLE a (b INT REFERENCES c(d) ON DELETE NO ACTION, e INT REFERENCES f)",
        "With ON DELETE NO ACTION for “CASCADE” in “REFERENCES c(d) ON DELETE CASCADE”"
      ),
      (
        "CREATE TABLE a (b INT REFERENCES c(d) ON DELETE CASCADE, e INT REFERENCES f ON DELETE CASCADE)",
        "With ON DELETE CASCADE in “REFERENCES f”"
      ),
      (
        "CREATE TABLE a (b INT REFERENCES c(d) ON DELETE CASCADE, e INT REFERENCES f ON DELETE SET NULL)",
        "With ON DELETE SET NULL in “REFERENCES f”"
      )),
    OperatorCase("action of key", "CREATE TABLE a (b INT)"),
  ])
  func actionOfKey(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "collation of column", "CREATE TABLE a (b TEXT NOT NULL, c TEXT COLLATE NOCASE UNIQUE, d INT)",
      (
        "CREATE TABLE a (b TEXT COLLATE NOCASE NOT NULL, c TEXT COLLATE NOCASE UNIQUE, d INT)",
        "With COLLATE NOCASE at “b”"
      ),
      ("CREATE TABLE a (b TEXT NOT NULL, c TEXT UNIQUE, d INT)", "Without “COLLATE NOCASE” at “c”")),
    OperatorCase("collation of column", "CREATE TABLE a (b INT)"),
  ])
  func collationOfColumn(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "type of column", "CREATE TABLE a (id INTEGER PRIMARY KEY, b VARCHAR(10) NOT NULL, c)",
      ("CREATE TABLE a (id INTEGER PRIMARY KEY, b INTEGER NOT NULL, c)", "With “b” as INTEGER"),
      ("CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT NOT NULL, c)", "With “b” as TEXT"),
      ("CREATE TABLE a (id INTEGER PRIMARY KEY, b REAL NOT NULL, c)", "With “b” as REAL"),
      ("CREATE TABLE a (id INTEGER PRIMARY KEY, b NOT NULL, c)", "With “b” without a type"),
      ("CREATE TABLE a (id INTEGER PRIMARY KEY, b VARCHAR(10) NOT NULL, c INTEGER)", "With “c” as INTEGER"),
      ("CREATE TABLE a (id INTEGER PRIMARY KEY, b VARCHAR(10) NOT NULL, c TEXT)", "With “c” as TEXT"),
      ("CREATE TABLE a (id INTEGER PRIMARY KEY, b VARCHAR(10) NOT NULL, c REAL)", "With “c” as REAL"))
  ])
  func typeOfColumn(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "columns of constraint", "CREATE TABLE a (b, c, d, PRIMARY KEY (b, c))",
      ("CREATE TABLE a (b, c, d, PRIMARY KEY (c))", "With “PRIMARY KEY (b, c)” without “b”"),
      ("CREATE TABLE a (b, c, d, PRIMARY KEY (b))", "With “PRIMARY KEY (b, c)” without “c”"),
      ("CREATE TABLE a (b, c, d, PRIMARY KEY (b, c, d))", "With “d” in “PRIMARY KEY (b, c)” too")),
    OperatorCase(
      "columns of constraint", "CREATE TABLE a (b, c, UNIQUE (b))",
      ("CREATE TABLE a (b, c, UNIQUE (b, c))", "With “c” in “UNIQUE (b)” too")),
  ])
  func columnsOfConstraint(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "table option", "CREATE TABLE a (id INTEGER PRIMARY KEY) WITHOUT ROWID, STRICT",
      ("CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT", "Without “WITHOUT ROWID”"),
      ("CREATE TABLE a (id INTEGER PRIMARY KEY) WITHOUT ROWID", "Without “STRICT”"),
      ("CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT) WITHOUT ROWID, STRICT", "With AUTOINCREMENT")),
    OperatorCase(
      "table option", "CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT)",
      ("CREATE TABLE a (id INTEGER PRIMARY KEY)", "Without AUTOINCREMENT")),
  ])
  func tableOption(_ made: OperatorCase) { made.check() }
}
