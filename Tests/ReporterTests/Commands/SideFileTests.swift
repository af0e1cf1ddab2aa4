import Foundation
import Testing

/// Databases with files beside them: what was committed is read, and no file is written, made, or looked at by SQLite.
@Suite struct SideFileTests {
  private let folder: TemporaryFolder
  private let temporary: TemporaryFolder

  init() throws {
    (folder, temporary) = (try TemporaryFolder(), try TemporaryFolder())
  }

  /// What every file of the folder is: bytes, time, and number on the disk.
  private func state() throws -> [String] {
    try folder.names.map { name in
      var status = stat()
      #expect(lstat(folder(name), &status) == 0)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder(name)))
      return
        "\(name) \(bytes.hashValue) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_ino) \(status.st_mode)"
    }
  }

  /// Runs both commands on a file; nothing may be touched or left.
  private func read(_ name: String, arguments: [String] = []) throws -> (
    inspect: CommandResult, diff: CommandResult
  ) {
    let before = try state()
    let environment = ["TMPDIR": temporary.path]
    let inspect = try ReporterProcess.run(
      ["inspect", name] + arguments, in: folder.path, environment: environment)
    let diff = try ReporterProcess.run(
      ["diff", name, name] + arguments, in: folder.path, environment: environment)
    #expect(try state() == before)
    #expect(try temporary.names == [])
    return (inspect, diff)
  }

  private func makeWAL(_ name: String = "a.sqlite") throws {
    try crash(
      folder(name),
      "PRAGMA journal_mode=WAL;CREATE TABLE t(id INTEGER PRIMARY KEY, v);INSERT INTO t VALUES (1, 'first');INSERT INTO t VALUES (2, 'second');PRAGMA user_version=7;BEGIN;INSERT INTO t VALUES (3, 'not committed')"
    )
  }

  @Test func whatAWALHoldsIsRead() throws {
    try makeWAL()
    #expect(try folder.names == ["a.sqlite", "a.sqlite-shm", "a.sqlite-wal"])
    let (inspect, diff) = try read("a.sqlite")
    #expect(
      inspect.status == 0 && inspect.output.contains("   2  second\n")
        && !inspect.output.contains("not committed"))
    #expect(inspect.output.contains("WAL mode · user_version 7"))
    #expect(
      inspect.output.contains("4 transactions")
        && inspect.output.contains("read here as part of the database"))
    #expect(diff.status == 0 && diff.output.contains("No difference in 1 table."))
  }

  @Test func aFolderThatMayNotBeWrittenIsEnough() throws {
    try makeWAL()
    #expect(chmod(folder.path, 0o500) == 0)
    defer { chmod(folder.path, 0o700) }
    let before = try state()
    let result = try ReporterProcess.runWithoutPrivileges(["inspect", folder("a.sqlite")], in: "/")
    #expect(result.status == 0 && result.output.contains("   2  second\n"), "\(result.errors)")
    #expect(try state() == before)
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "needs the right to mount"))
  func aDiskThatCannotBeWrittenIsEnough() throws {
    let disk = try SmallDisk(at: try folder.makeFolder("disk"))
    defer { disk.unmount() }
    try makeWAL("disk/a.sqlite")
    try folder.database("disk/b.sqlite", "CREATE TABLE t(id INTEGER PRIMARY KEY, v);")
    try disk.makeReadOnly()
    let inspect = try ReporterProcess.run(["inspect", "disk/a.sqlite"], in: folder.path)
    #expect(inspect.status == 0 && inspect.output.contains("   2  second\n"))
    let diff = try ReporterProcess.run(["diff", "disk/b.sqlite", "disk/a.sqlite"], in: folder.path)
    #expect(diff.status == 1 && diff.output.contains("  t  +2\n"))
  }

  @Test func aHotJournalIsRolledBackInTheCopyAlone() throws {
    try folder.database("a.sqlite", "CREATE TABLE t(v); INSERT INTO t VALUES ('committed');")
    try crash(
      folder("a.sqlite"),
      "PRAGMA cache_size=1;PRAGMA cache_spill=1;BEGIN;UPDATE t SET v = 'lost';INSERT INTO t WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c LIMIT 500) SELECT zeroblob(900) FROM c"
    )
    #expect(try folder.names.contains("a.sqlite-journal"))
    let (inspect, diff) = try read("a.sqlite")
    #expect(
      inspect.status == 0 && inspect.output.contains("  committed\n") && !inspect.output.contains("lost"))
    #expect(
      inspect.output.contains("! A hot rollback journal lies beside it")
        && inspect.output.contains("8.2 kB as committed"))
    #expect(diff.status == 0 && diff.output.contains("A hot rollback journal"))
  }

  @Test func aWALOfAnotherDatabaseIsLeftOutAndSaid() throws {
    try makeWAL("other.sqlite")
    try folder.database("a.sqlite", "CREATE TABLE mine(v); INSERT INTO mine VALUES ('my own');")
    try FileManager.default.copyItem(atPath: folder("other.sqlite-wal"), toPath: folder("a.sqlite-wal"))
    let (inspect, diff) = try read("a.sqlite")
    #expect(
      inspect.status == 3 && inspect.output.contains("  my own\n") && !inspect.output.contains("second"))
    #expect(inspect.output.contains("not this database's own: the database is not in WAL mode"))
    #expect(diff.status == 3 && diff.output.contains("No difference in what could be compared."))
    let json = try read("a.sqlite", arguments: ["--json"]).inspect
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let file = try #require(document["file"] as? [String: Any])
    #expect(file["wal"] as? String == "foreign" && (file["walSigns"] as? [String])?.isEmpty == false)
  }

  @Test func whatHoldsNothingBesideItIsReadInPlace() throws {
    try folder.database(
      "a.sqlite", "PRAGMA journal_mode=PERSIST; CREATE TABLE t(v); INSERT INTO t VALUES ('v');")
    try folder.write("", to: "a.sqlite-wal")
    let (inspect, _) = try read("a.sqlite")
    #expect(inspect.status == 0 && inspect.output.contains("  v\n"))
    // Nothing is copied: there is no folder to copy into.
    let result = try ReporterProcess.run(
      ["inspect", "a.sqlite"], in: folder.path, environment: ["TMPDIR": "/missing"])
    #expect(result.status == 0)
  }

  @Test func aDatabaseThatAnotherProcessHasOpenIsReadAsItWasCommitted() throws {
    try folder.database("a.sqlite", "CREATE TABLE t(v); INSERT INTO t VALUES ('committed');")
    let other = try OtherProcess(folder("a.sqlite"), "BEGIN IMMEDIATE; UPDATE t SET v = 'pending';")
    defer { other.end() }
    let (inspect, _) = try read("a.sqlite")
    #expect(inspect.output.contains("  committed\n") && !inspect.output.contains("pending"))
  }

  @Test func withoutAPlaceForACopyTheReasonIsSaid() throws {
    try makeWAL()
    let result = try ReporterProcess.run(
      ["inspect", "a.sqlite"], in: folder.path, environment: ["TMPDIR": folder("missing")])
    #expect(result.status == 73 && result.output == "")
    #expect(result.errors.contains("No private copy of a.sqlite could be made: Could not create a folder in"))
    let full = try ReporterProcess.run(
      ["inspect", "a.sqlite"], in: folder.path, environment: ["TMPDIR": "/proc"])
    #expect(full.status == 73 && full.errors.contains("set TMPDIR to a folder with more room"))
  }

  @Test func anOutputThatCannotBeWrittenIsSaid() throws {
    try folder.database("a.sqlite", "CREATE TABLE t(v);")
    for command in ["inspect a.sqlite", "inspect a.sqlite --json", "diff a.sqlite a.sqlite"] {
      let shell = ["/bin/sh", "-c", "'\(try ReporterProcess.executable)' \(command) > /dev/full"]
      let result = try ReporterProcess.command(shell, in: folder.path).run()
      #expect(result.status == 73)
      #expect(result.errors.contains("Could not write standard output: No space left on device."))
    }
  }

  @Test func aWALThatMayNotBeReadIsSaid() throws {
    try makeWAL()
    #expect(chmod(folder("a.sqlite-wal"), 0) == 0)
    let result = try ReporterProcess.runWithoutPrivileges(["inspect", "a.sqlite"], in: folder.path)
    #expect(result.status == 66 && result.errors.contains("a.sqlite-wal cannot be read: Permission denied."))
  }
}
