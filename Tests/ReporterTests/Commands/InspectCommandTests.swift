import Foundation
import Testing

/// `reporter inspect`: what a database file is, for any file.
@Suite struct InspectCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func inspect(_ arguments: String..., environment: [String: String] = [:]) throws -> CommandResult {
    try ReporterProcess.run(["inspect"] + arguments, in: folder.path, environment: environment)
  }

  // MARK: - What is no database

  @Test func whatIsNoDatabaseIsNamedWithTheReason() throws {
    try folder.write("", to: "empty")
    try folder.write("Dear Ada,\n", to: "letter")
    try folder.write("BEGIN TRANSACTION;\nCREATE TABLE t(a);\n", to: "dump.sql")
    try folder.write((0..<8192).map { _ in UInt8.random(in: 0...255) }, to: "encrypted")
    try folder.write("SQLite format 3\u{0}".utf8, to: "tiny")
    try folder.write([0x1F, 0x8B] + [UInt8](repeating: 9, count: 600), to: "a.gz")
    _ = try folder.makeFolder("folder")
    #expect(mkfifo(folder("fifo"), 0o600) == 0)
    try FileManager.default.createSymbolicLink(atPath: folder("dangling"), withDestinationPath: "nowhere")
    let reasons = [
      ("missing", "There is no file missing."), ("letter/below", "There is no file letter/below."),
      ("empty", "empty is empty"), ("letter", "it is text"), ("dump.sql", "it is SQL"),
      ("encrypted", "it looks encrypted"), ("tiny", "it ends within the header"),
      ("a.gz", "a compressed file"),
      ("folder", "folder is a folder"), ("fifo", "fifo is a FIFO"),
      ("dangling", "a link that leads to no file"),
      ("/dev/null", "/dev/null is a device"), ("mis\nsing", "There is no file mis⏎sing."),
    ]
    for (name, reason) in reasons {
      let result = try inspect(name)
      #expect(result.status == 66 && result.output == "", "\(name)")
      #expect(result.errors.contains(reason) && result.errors.hasPrefix("reporter: "), "\(result.errors)")
      #expect(try ReporterProcess.run(["diff", name, name], in: folder.path).status == 66)
    }
  }

  @Test func anEmptyFileBesideAWALIsNotTouched() throws {
    try folder.write("", to: "a.sqlite")
    try folder.write("anything", to: "a.sqlite-wal")
    let result = try inspect("a.sqlite")
    #expect(result.status == 66 && result.errors.contains("beside it lies a -wal of 8 bytes"))
    #expect(try folder.names == ["a.sqlite", "a.sqlite-wal"])
  }

  @Test func whatMayNotBeReadIsSaid() throws {
    try folder.database("a.sqlite", "CREATE TABLE t(a);")
    #expect(chmod(folder("a.sqlite"), 0) == 0)
    let result = try ReporterProcess.runWithoutPrivileges(["inspect", "a.sqlite"], in: folder.path)
    #expect(result.status == 66 && result.errors.contains("a.sqlite cannot be read: Permission denied."))
  }

  @Test func aFileThatIsCutOffInItsSchemaCannotBeRead() throws {
    let path = try folder.database("a.sqlite", "CREATE TABLE t(a); INSERT INTO t VALUES (zeroblob(9000));")
    try folder.write([UInt8](Data(contentsOf: URL(fileURLWithPath: path))).prefix(5000), to: "a.sqlite")
    let result = try inspect("a.sqlite")
    #expect(result.status == 66 && result.errors.contains("a.sqlite begins as a database, but: "))
  }

  @Test func ofADamagedFileWhatCanBeReadIsPrinted() throws {
    let path = try folder.database(
      "a.sqlite",
      "CREATE TABLE sound(a); CREATE TABLE broken(a); INSERT INTO sound VALUES ('kept'); INSERT INTO broken VALUES (2);"
    )
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: 8192)
    try file.write(contentsOf: [UInt8](repeating: 0xAA, count: 4096))
    try file.close()
    let result = try inspect("a.sqlite")
    #expect(result.status == 3)
    #expect(
      result.output.contains("✗ quick_check")
        && result.output.contains("! quick_check says that the database is damaged: "))
    #expect(!result.output.contains("*** in database"))
    #expect(result.output.contains("  kept\n"))
    #expect(
      result.output.contains("broken · rows not counted") || result.output.contains("! The rows could not be")
    )
  }

  // MARK: - What is a database

  @Test func aLinkLeadsToItsFile() throws {
    try folder.database("a.sqlite", "CREATE TABLE t(a);")
    try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: "a.sqlite")
    let result = try inspect("link")
    #expect(result.status == 0 && result.output.hasPrefix("link → \(folder.path)/a.sqlite\n"))
  }

  @Test func brokenForeignKeysAreFoundAndTheirRowsNamed() throws {
    try folder.database(
      "a.sqlite",
      "CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(p REFERENCES p(id)); INSERT INTO c VALUES (9);")
    let result = try inspect("a.sqlite")
    #expect(result.status == 0 && result.output.contains("✓ quick_check · ✗ foreign keys"))
    #expect(
      result.output.contains(
        "Findings\n! c.p refers to no row of p in row 1 (9).\n    row 1: p 9\n    Look for"))
    #expect(!result.output.contains("row 1 of c"))
  }

  @Test func ofManyTablesRowsAreShownOnlyWhenAskedFor() throws {
    let tables = (1...13).map { "CREATE TABLE t\($0)(a); INSERT INTO t\($0) VALUES ('value');" }.joined()
    try folder.database("a.sqlite", tables)
    #expect(try !inspect("a.sqlite").output.contains("value"))
    #expect(try inspect("a.sqlite", "--rows", "1").output.components(separatedBy: "  value\n").count == 14)
  }

  @Test func oneTableIsFoundWhateverItsCase() throws {
    try folder.database(
      "a.sqlite", "CREATE TABLE Orders(a); CREATE TABLE other(b); CREATE INDEX i ON orders(a);")
    let result = try inspect("a.sqlite", "--table", "ORDERS")
    #expect(
      result.status == 0 && result.output.contains("Orders · 0 rows") && !result.output.contains("other"))
    #expect(result.output.contains("CREATE INDEX i ON orders(a);"))
    let unknown = try inspect("a.sqlite", "--table", "orderz")
    #expect(unknown.status == 64 && unknown.output == "")
    #expect(
      unknown.errors.contains("a.sqlite has no table orderz.")
        && unknown.errors.contains("Tables: Orders, other"))
  }

  // MARK: - CSV

  @Test func aTableIsPrintedAsCSVWithAllRows() throws {
    try folder.database(
      "a.sqlite",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, [the "name"] TEXT, total REAL, b BLOB);
      INSERT INTO t VALUES (2, 'a,b' || char(13, 10) || '"c"', 1, x'00ff'), (1, '', NULL, NULL);
      CREATE TABLE u(a); INSERT INTO u VALUES ('=1+1'), (41), ('41');
      CREATE TABLE many(a, b);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
      INSERT INTO many SELECT i, zeroblob(20) FROM n;
      CREATE TABLE none(a, b);
      """)
    let result = try inspect("a.sqlite", "--table", "T", "--csv")
    #expect(result.status == 0 && result.errors == "")
    let head = #""id","the ""name""","total","b""# + "\r\n"
    #expect(result.output == head + "1,\"\",,\r\n2,\"a,b\r\n\"\"c\"\"\",1.0,X'00ff'\r\n")
    #expect(
      try inspect("a.sqlite", "--table", "u", "--csv").output
        == "\"rowid\",\"a\"\r\n1,\"=1+1\"\r\n2,41\r\n3,\"41\"\r\n")
    let many = try inspect("a.sqlite", "--table", "many", "--csv").output.utf8.count { $0 == 10 }
    #expect(many == 30_001)
    let few = try inspect("a.sqlite", "--table", "many", "--csv", "--rows", "2").output
    #expect(few.hasSuffix("\r\n2,2,X'\(String(repeating: "00", count: 20))'\r\n"))
    #expect(try inspect("a.sqlite", "--table", "none", "--csv").output == "\"rowid\",\"a\",\"b\"\r\n")
  }

  @Test func otherProgramsReadTheCSV() throws {
    try folder.database("a.sqlite", "CREATE TABLE t(a, b); INSERT INTO t VALUES ('x \"y\"', 2), ('é', 0.5);")
    try folder.write(inspect("a.sqlite", "--table", "t", "--csv").output, to: "t.csv")
    let script =
      "import csv;print(list(csv.reader(open('t.csv',newline=''),quoting=csv.QUOTE_NONNUMERIC)))"
    let read = try ReporterProcess.command(["/usr/bin/python3", "-c", script], in: folder.path).run()
    #expect(
      read.output == "[['rowid', 'a', 'b'], [1.0, 'x \"y\"', 2.0], [2.0, 'é', 0.5]]\n", "\(read.errors)")
  }

  @Test func aTableThatIsNotReadToItsEndIsSaid() throws {
    let path = try folder.database(
      "a.sqlite",
      "CREATE TABLE t(a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
        + "INSERT INTO t SELECT hex(zeroblob(50)) FROM n;")
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: 4096 * 20)
    try file.write(contentsOf: [UInt8](repeating: 0xAA, count: 4096))
    try file.close()
    let result = try inspect("a.sqlite", "--table", "t", "--csv")
    #expect(result.status == 3 && result.output.hasPrefix("\"rowid\",\"a\"\r\n1,\"0000"))
    #expect(result.errors.contains("Not all rows of t could be read"), "\(result.errors)")
  }

  @Test func textsThatAreNoUTF8AreSaid() throws {
    try folder.database(
      "a.sqlite", "CREATE TABLE t(a); INSERT INTO t VALUES (CAST(x'ff41' AS TEXT)), (char(0xFFFD)), (x'ff');")
    let result = try inspect("a.sqlite", "--table", "t", "--csv")
    #expect(result.output == "\"rowid\",\"a\"\r\n1,\"\u{FFFD}A\"\r\n2,\"\u{FFFD}\"\r\n3,X'ff'\r\n")
    #expect(result.status == 3)
    #expect(
      result.errors.contains("1 text of t cannot be read as UTF-8, and U+FFFD stands there."),
      "\(result.errors)")
  }

  @Test func wrongOptionsAreUsageErrors() throws {
    try folder.database("a.sqlite", "CREATE TABLE t(a);")
    for options in [
      ["--csv"], ["--csv", "--table", "t", "--json"], ["--csv", "--table", "t", "--no-rows"],
      ["--csv", "--table", "u"],
      ["--rows", "-1"], ["--rows", "x"], ["--rows", "99999999"], ["--rows", "1", "--no-rows"],
      ["--table", ""],
    ] {
      #expect(
        try ReporterProcess.run(["inspect", "a.sqlite"] + options, in: folder.path).status == 64, "\(options)"
      )
    }
    #expect(try inspect().status == 64 && inspect("").status == 64)
  }
}
