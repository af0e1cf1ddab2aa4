import Collector
import Foundation
import Testing

/// A log of format 1.0 tells by file names and sentences what later ones have keys for; it means the same.
@Suite struct EvidenceOfFormat1_0Tests {
  /// A line as 1.0 wrote it.
  private func capture(
    _ path: String, wal: String = "foreign", uncommitted: Bool = false, note: String? = nil
  )
    throws -> DatabaseCapture
  {
    let note = note.map { ",\"note\":\"\($0)\"" } ?? ""
    let line = """
      {"kind":"evidence","time":1795246212.5,"payload":{"kind":"database","name":"n","path":"\(path)","bytes":8192,\
      "source":"/tmp/n.sqlite","keep":"onFailure","duration":0.01,"database":{"method":"immutable",\
      "uncommitted":\(uncommitted),"wal":"\(wal)","databaseBytes":8192,"walBytes":4152\(note)}}}
      """
    let record = try JSONDecoder().decode(LogRecord.self, from: Data(line.utf8), configuration: .all)
    guard let evidence = record.payload as? CapturedEvidence else { throw CocoaError(.coderInvalidValue) }
    return try #require(evidence.database)
  }

  private static let signs =
    "its pages have 1024 bytes, the database's 4096, its schema is older than the database's"
  private static func note(_ path: String) -> String {
    "The -wal beside \(path) is not this database's own: \(signs)."
      + " This is the database file alone; the same name with .with-wal is what SQLite reads together with it."
      + " Whoever replaces a database file has to delete its -wal first."
  }

  @Test(arguments: ["/tmp/n.sqlite", "/tmp/a. b/n.sqlite"]) func theDatabaseAlone(path: String) throws {
    let capture = try capture("evidence/t/n.sqlite", note: Self.note(path))
    #expect(capture.view == .alone)
    #expect(capture.walSigns == [Self.signs])
    #expect(capture.note == Self.note(path))
  }

  @Test(arguments: [
    "evidence/t/n.with-wal.sqlite", "evidence/t/n.with-wal.raw", "evidence/t/n.with-wal.2.sqlite",
  ])
  func whatSQLiteReadsWithTheForeignWAL(path: String) throws {
    let note =
      "What SQLite reads when it takes the -wal beside /tmp/n.sqlite for the database's own, which it is not."
    let capture = try capture(path, note: note)
    #expect(capture.view == .withForeignWAL)
    #expect(capture.walSigns.isEmpty && capture.note == note)
  }

  @Test func theRowsOfAnOpenTransaction() throws {
    #expect(
      try capture("evidence/t/n.uncommitted.sqlite", wal: "absent", uncommitted: true).view == .uncommitted)
  }

  @Test func whatHasOneView() throws {
    let capture = try capture("evidence/t/n.with-wal.sqlite", wal: "committed", note: Self.note("/tmp/n"))
    #expect(capture.view == nil && !capture.uncommitted && capture.walSigns.isEmpty)
  }

  /// What is there is not guessed.
  @Test func theKeysOfLaterFormatsGoFirst() throws {
    let path = "evidence/t/with-wal.with-wal.sqlite"
    let written = CapturedEvidence(
      kind: .database, name: "n", path: path, bytes: 1,
      database: DatabaseCapture(
        method: .raw, view: .alone, wal: .foreign, walSigns: ["a", "b"], databaseBytes: 1,
        note: Self.note("/tmp/n")))
    let line = LogLine.encode(LogRecord(time: 1, written))
    #expect(
      try JSONDecoder().decode(LogRecord.self, from: Data(line), configuration: .all).payload
        as? CapturedEvidence == written)
  }
}
