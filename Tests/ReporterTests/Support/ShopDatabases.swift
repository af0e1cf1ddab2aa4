import Foundation

/// Two small databases such as a GRDB app has, for the commands that look into files.
struct ShopDatabases {
  let folder: TemporaryFolder
  static let (before, after) = ("shop.sqlite", "later.sqlite")

  private static let schema = """
    PRAGMA user_version = 3;
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    CREATE TABLE "customer" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL, "email" TEXT UNIQUE);
    CREATE TABLE "order" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "customerId" INTEGER REFERENCES "customer"("id"),
      "state" TEXT NOT NULL DEFAULT 'new', "total" DOUBLE, "placedAt" DATETIME, "note" TEXT, "photo" BLOB);
    CREATE INDEX "order_on_state" ON "order"("state");
    CREATE VIEW openOrder AS SELECT * FROM "order" WHERE state <> 'done';
    CREATE TABLE shelf(article TEXT, place INTEGER, stock, PRIMARY KEY(article, place)) WITHOUT ROWID;
    CREATE TABLE "we\u{1B}[2Jird\u{202E}"("a\nb");
    INSERT INTO grdb_migrations VALUES ('v1'), ('v2');
    INSERT INTO customer VALUES (1, 'Ada Lovelace', 'ada@example.org'), (2, '渋沢 栄一', NULL),
      (3, 'Zoë 👩‍🚀', 'zoe@example.org');
    INSERT INTO "order" VALUES (1, 1, 'new', 9.5, '2024-05-01 09:30:00.000', NULL, x'89504e470d0a1a0a'),
      (2, 2, 'paid', 120, '2024-05-02 10:00:00.000', 'please ring' || char(10) || 'twice', zeroblob(3000)),
      (3, 1, 'done', 0.1, '2024-05-03 11:00:00.000', '', NULL),
      (4, 3, 'new', 1e300, '2024-05-04 12:00:00.000',
        'a note that is rather long and has no room on a narrow terminal, as notes often have', NULL);
    INSERT INTO shelf VALUES ('tea', 1, 40), ('tea', 2, '41'), ('cup', 1, NULL);
    INSERT INTO "we\u{1B}[2Jird\u{202E}" VALUES (char(27) || '[31mred'), ('::error::x'), ('NULL');
    """

  private static let changes = """
    PRAGMA user_version = 4;
    UPDATE "order" SET state = 'paid', placedAt = '2024-06-01 00:00:00.000' WHERE id = 1;
    UPDATE "order" SET total = 2,
      note = 'a note that is rather long and has no room on a narrow screen, as notes often have' WHERE id = 4;
    DELETE FROM "order" WHERE id = 3;
    INSERT INTO "order" VALUES (5, 1, 'new', 3, NULL, NULL, NULL), (6, 2, 'new', 4.5, NULL, char(27) || ']0;x', NULL);
    UPDATE shelf SET stock = 0 WHERE place = 1;
    DROP VIEW openOrder;
    DROP INDEX order_on_state;
    CREATE INDEX "order_on_state" ON "order"("state", "placedAt");
    CREATE TABLE extra(a, b);
    INSERT INTO extra VALUES (1, 2);
    """

  init() throws {
    folder = try TemporaryFolder()
    try folder.database(Self.before, Self.schema)
    try folder.database(Self.after, Self.schema + Self.changes)
    for name in [Self.before, Self.after] { try Self.setWriter(of: folder(name)) }
  }

  /// Has the file say that one version of SQLite wrote it, whichever this machine has.
  static func setWriter(of path: String) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: 96)
    try file.write(contentsOf: [0, 0x2E, 0x63, 0x01])  // 3,040,001
    try file.close()
  }

  /// Runs `reporter` in the folder, on a terminal of so many columns.
  func onTerminal(
    _ columns: Int, _ arguments: String, environment: [String: String] = [:]
  ) throws -> CommandResult {
    let command = "stty cols \(columns) rows 50; '\(try ReporterProcess.executable)' \(arguments)"
    var result = try ReporterProcess.command(
      Terminal.arguments(running: command), in: folder.path,
      environment: ["NO_COLOR": "", "TERM": "xterm"].merging(environment) { $1 }
    ).run()
    result.output = result.output.replacing("\r\n", with: "\n")
    return result
  }

  func run(_ arguments: String...) throws -> CommandResult {
    try ReporterProcess.run(arguments, in: folder.path)
  }
}

/// The text without a terminal's colours.
func withoutColours(_ text: String) -> String { text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }
