import Collector
import Foundation
import Testing

@testable import ReportTestSupport

/// An artifacts folder of format 1.0, from before views and signs of a WAL had keys, is reported like one of today.
@Suite struct EarlierFormatTests {
  private let folder: TemporaryFolder
  private static let run = "artifacts/runs/r"

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeManifest(to: Self.run)
    for name in ["Shop.sqlite", "Shop.with-wal.sqlite"] {
      _ = try folder.database(name, "CREATE TABLE item(a); INSERT INTO item VALUES('row of \(name)');")
      try folder.write(
        try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)")),
        to: "\(Self.run)/evidence/t/\(name)")
    }
  }

  private func evidence(_ name: String, note: String) -> any LogPayload {
    CapturedEvidence(
      kind: .database, name: "Shop.sqlite", path: "evidence/t/\(name)", bytes: 8192,
      source: "/tmp/a. b/Shop.sqlite",
      database: DatabaseCapture(
        method: .immutable, wal: .foreign, databaseBytes: 8192, walBytes: 4152, note: note))
  }

  @Test func bothViewsBesideAForeignWALAreShown() throws {
    var log = try WrittenLog(format: "1.0")
    try log.start(.store("testMigrates"))
    try log.fail(.store("testMigrates"), "m")
    try log.add(
      .store("testMigrates"),
      evidence(
        "Shop.sqlite",
        note: "The -wal beside /tmp/a. b/Shop.sqlite is not this database's own: its schema is older than the"
          + " database's. This is the database file alone; the same name with .with-wal is what SQLite reads"
          + " together with it. Whoever replaces a database file has to delete its -wal first."))
    try log.add(
      .store("testMigrates"),
      evidence(
        "Shop.with-wal.sqlite",
        note:
          "What SQLite reads when it takes the -wal beside /tmp/a. b/Shop.sqlite for the database's own, which"
          + " it is not."))
    try log.finish(.store("testMigrates"), .failed)
    try log.end()
    #expect(log.bytes.firstRange(of: Data("\"view\"".utf8)) == nil, "as 1.0 wrote it")
    try folder.write(log.bytes, to: "\(Self.run)/logs/7-70.jsonl")
    let result = try ReporterProcess.run(["report", "artifacts", "--output", "out"], in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    let name = try #require(folder.files.first { $0.hasPrefix("out/tests/") && $0.hasSuffix(".html") })
    let page = try folder.read(name)
    #expect(page.contains("the database file alone"))
    #expect(page.contains("as SQLite reads it with the foreign -wal"))
    #expect(
      page.contains(
        "The -wal beside /tmp/a. b/Shop.sqlite is not this database&#39;s own: its schema is older than the"
          + " database&#39;s."), "the whole sentence, whatever is in the path")
    #expect(page.contains("row of Shop.sqlite") && page.contains("row of Shop.with-wal.sqlite"))
  }
}
