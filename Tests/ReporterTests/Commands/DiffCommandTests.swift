import Foundation
import Testing

/// `reporter diff`: what differs between two database files, and the exit code for scripts.
@Suite struct DiffCommandTests {
  private let folder: TemporaryFolder
  private static let shop =
    "CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT); INSERT INTO orders VALUES (1, 'new'), (2, 'new'); CREATE TABLE tag(name);"

  init() throws {
    folder = try TemporaryFolder()
  }

  private func diff(_ before: String, _ after: String, _ arguments: String...) throws -> CommandResult {
    for name in ["a.sqlite", "b.sqlite"] { try? FileManager.default.removeItem(atPath: folder(name)) }
    try folder.database("a.sqlite", before)
    try folder.database("b.sqlite", after)
    return try ReporterProcess.run(["diff", "a.sqlite", "b.sqlite"] + arguments, in: folder.path)
  }

  @Test func equalDatabasesAreTheSameHoweverTheyAreLaidOut() throws {
    let result = try diff(Self.shop, "PRAGMA page_size=1024;" + Self.shop + "VACUUM;")
    #expect(result.status == 0)
    #expect(result.output == "a.sqlite → b.sqlite\nNo difference in 2 tables.\npage_size 4096 → 1024\n")
  }

  @Test func rowsOfTablesThatDifferAreTold() throws {
    let result = try diff(
      Self.shop,
      Self.shop
        + "UPDATE orders SET state = 'paid' WHERE id = 2; DELETE FROM orders WHERE id = 1; INSERT INTO tag VALUES ('red');"
    )
    #expect(result.status == 1)
    #expect(
      result.output == """
        a.sqlite → b.sqlite
        2 of 2 tables differ.

          orders      −1  ~1
          tag     +1

        orders
          ~  id 2  state  new  →  paid

             id  state
          ─  ──  ─────
          −   1  new

        tag
             name
          ─  ────
          +  red

        """)
  }

  @Test func numbersThatAppsSetCount() throws {
    let result = try diff(Self.shop, Self.shop + "PRAGMA user_version=2; PRAGMA application_id=7;")
    #expect(
      result.status == 1 && result.output.contains("user_version 0 → 2")
        && result.output.contains("application_id 0 → 7"))
  }

  @Test func theSchemaIsComparedLineByLine() throws {
    let result = try diff(
      Self.shop + "CREATE VIEW v AS\nSELECT 1;CREATE TRIGGER tr AFTER INSERT ON tag BEGIN SELECT 1; END;",
      Self.shop + "CREATE VIEW v AS\nSELECT 2;CREATE INDEX i ON tag(name);", "--schema-only")
    #expect(result.status == 1)
    #expect(
      result.output == """
        a.sqlite → b.sqlite
        3 differences in the schema.

        Schema
          ~ view v
              CREATE VIEW v AS
            − SELECT 1
            + SELECT 2
          + index i
              CREATE INDEX i ON tag(name)
          − trigger tr
              CREATE TRIGGER tr AFTER INSERT ON tag BEGIN SELECT 1; END

        """)
    #expect(try diff(Self.shop, Self.shop + "DELETE FROM orders;", "--schema-only").status == 0)
  }

  @Test func aRenamedTableIsOneChange() throws {
    let before =
      Self.shop + """
        CREATE INDEX by_state ON orders(state) WHERE orders.id > 5;
        CREATE TRIGGER tr AFTER INSERT ON orders BEGIN DELETE FROM orders WHERE id > 7; END;
        CREATE VIEW v AS SELECT id FROM orders;
        """
    let rename = "ALTER TABLE orders RENAME TO purchases;"
    let whole = try diff(before, before + rename)
    #expect(
      whole.output == """
        a.sqlite → b.sqlite
        1 of 2 tables differ.

          purchases           renamed from orders

        """)
    let schema = try diff(before, before + rename, "--schema-only")
    #expect(schema.status == 1)
    #expect(
      schema.output == """
        a.sqlite → b.sqlite
        1 difference in the schema.

        Schema
          ~ table purchases renamed from orders

        """)
    let json = try diff(before, before + rename, "--schema-only", "--json").output
    #expect(json.contains(#""fate":"renamed","formerName":"orders","name":"purchases","type":"table""#))
    for name in ["orders", "purchases"] {
      let one = try diff(before, before + rename, "--schema-only", "--table", name)
      #expect(one.status == 1 && one.output.contains("~ table purchases renamed from orders"), "\(name)")
      #expect(
        try diff(before, before + rename, "--table", name).output.contains("renamed from orders"), "\(name)")
    }
  }

  @Test func whatElseIsChangedOfARenamedTableIsTold() throws {
    let before = Self.shop + "CREATE INDEX i ON orders(state) WHERE id > 5;"
    let result = try diff(
      before,
      before
        + "ALTER TABLE orders RENAME TO purchases; DROP INDEX i; CREATE INDEX i ON purchases(state) WHERE id > 6;",
      "--schema-only")
    #expect(result.output.contains("2 differences in the schema.") && result.output.contains("~ index i"))
    let other = try diff(
      "CREATE TABLE a(a, b); CREATE INDEX i ON a(a);",
      "CREATE TABLE a(a, b); ALTER TABLE a RENAME TO b; CREATE INDEX i ON b(b);", "--schema-only")
    #expect(other.output.contains("~ table b renamed from a") && other.output.contains("~ index i"))
    let checked = try diff(
      "CREATE TABLE a(x, y CHECK (y > 1));", "CREATE TABLE b(x, y CHECK (y > 2));", "--schema-only")
    #expect(checked.output.contains("~ table b renamed from a\n    − CREATE TABLE a(x, y CHECK (y > 1))"))
  }

  @Test func oneTableIsComparedAlone() throws {
    let change = "DELETE FROM orders; PRAGMA user_version=9; CREATE INDEX i ON orders(state);"
    let same = try diff(Self.shop, Self.shop + change, "--table", "tag")
    #expect(same.status == 0 && same.output.contains("No difference in 1 table."))
    let other = try diff(Self.shop, Self.shop + change, "--table", "Orders")
    #expect(other.status == 1 && other.output.contains("−2") && other.output.contains("+ index i"))
    let unknown = try diff(Self.shop, Self.shop, "--table", "none")
    #expect(
      unknown.status == 64 && unknown.errors.contains("Neither file has a table none."))
  }

  @Test func onlyLettersOfASCIIAreTheSameInBothCases() throws {
    let tables = "CREATE TABLE \"Ä\"(x); CREATE TABLE \"ä\"(x);"
    let result = try diff(tables, tables + "INSERT INTO \"ä\" VALUES (1);", "--table", "Ä")
    #expect(result.status == 0 && result.output.contains("No difference in 1 table."))
  }

  @Test func ofManyRowsEachKindHasItsShare() throws {
    let many =
      "WITH RECURSIVE c(x) AS (VALUES (10) UNION ALL SELECT x + 1 FROM c LIMIT 500) INSERT INTO orders SELECT x, 'many' FROM c;"
    let result = try diff(
      Self.shop, Self.shop + many + "UPDATE orders SET state = 'paid' WHERE id = 1;", "--rows", "4")
    #expect(result.output.contains("  ~  id 1  state  new  →  paid\n"))
    #expect(result.output.components(separatedBy: "  many\n").count == 4)
    #expect(result.output.contains("  … 497 more rows added\n"))
  }

  @Test(.enabled(if: Terminal.isAvailable, "needs a terminal"))
  func longValuesAreShownWhereTheyDiffer() throws {
    let long = String(repeating: "the same words again and ", count: 10)
    let row = "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);"
    _ = try diff(
      row + "INSERT INTO t VALUES (1, '\(long)first');", row + "INSERT INTO t VALUES (1, '\(long)second');")
    let command = "stty cols 60; '\(try ReporterProcess.executable)' diff a.sqlite b.sqlite --color never"
    let output = try ReporterProcess.command(
      Terminal.arguments(running: command), in: folder.path
    ).run().output
    #expect(output.contains("    v  …and first → …and second"))
  }

  @Test func whatIsNotComparedIsNotCalledTheSame() throws {
    try folder.database("a.sqlite", Self.shop)
    let result = try ReporterProcess.run(["diff", "a.sqlite", "missing"], in: folder.path)
    #expect(result.status == 66 && result.output == "" && result.errors.contains("There is no file missing."))
    #expect(try ReporterProcess.run(["diff", "a.sqlite"], in: folder.path).status == 64)
    #expect(
      try ReporterProcess.run(
        ["diff", "a.sqlite", "a.sqlite", "--schema-only", "--rows", "1"], in: folder.path
      ).status == 64)
  }
}
