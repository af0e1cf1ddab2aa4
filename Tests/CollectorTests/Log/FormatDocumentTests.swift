import Collector
import ExhibitSystem
import Foundation
import Testing

/// docs/artifacts-format.md names every key and word of the format, and none that is not in it.
@Suite struct FormatDocumentTests {
  private let document: FormatDocument

  init() throws {
    document = try FormatDocument()
  }

  // MARK: - Records

  private static let test = TestCaseID(
    module: "ShopTests", suite: ["OrderTests"], name: "total(of:)",
    argument: TestCaseID.Argument(ordinal: 1, description: "2"))

  private static let database = DatabaseCapture(
    method: .readTransaction, view: .uncommitted, wal: .foreign, walSigns: ["s"],
    walFrames: WALFrames(committed: 1),
    databaseBytes: 1, walBytes: 1,
    history: "evidence/a/shop.history", baseline: "evidence/a/shop.baseline.sqlite", note: "n")

  private static let archive = DirectoryArchive(
    entries: 1, skipped: [DirectoryArchive.Skipped(path: "pipe", reason: "It is a pipe.")])

  /// One record of each kind, with a value for every key.
  private static let records: [LogRecord.Event] = [
    .process(ProcessHeader(pid: 1, startTicks: 2, executable: "shop", boot: "b")),
    .testStarted(TestStart(framework: .swiftTesting, displayName: "a", file: "/a.swift", line: 1)),
    .issue(RecordedIssue(message: "a", file: "/a.swift", line: 1)),
    .databaseOpened(
      OpenedDatabase(connection: 1, path: "/shop.sqlite", file: FileIdentity(device: 1, inode: 2))),
    .databaseAttached(
      OpenedDatabase(connection: 1, path: "/shop.sqlite", file: FileIdentity(device: 1, inode: 2))),
    .databaseUsed(DatabaseConnection(1)),
    .databaseClosed(DatabaseConnection(1)),
    .tablesExcluded(ExcludedTables(["person"])),
    .fixtureUsed(
      UsedFixture(folder: "/a", file: "a-1.sqlite", version: "1", listed: ["a-1.sqlite"], sameAs: "b")),
    .evidence(
      CapturedEvidence(
        kind: .database, name: "a", path: "a", bytes: 1, source: "/a", database: database, archive: archive)),
    .captureFailed(
      CaptureFailure(kind: .file, name: "a", source: "/a", reason: .busy, message: "a", bytes: 1)),
    .testFinished(TestEnd(outcome: .passed, duration: 1)),
    .processFinished(ProcessEnd(tests: 1, failed: 0)),
  ]

  private func payload(_ event: LogRecord.Event) throws -> Any {
    try #require(Mirror(reflecting: event).children.first?.value)
  }

  private func written(_ event: LogRecord.Event) throws -> [String: Any] {
    let line = LogLine.encode(LogRecord(time: 1, test: Self.test, event: event))
    return try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
  }

  @Test func everyKindHasARecordHere() {
    let kinds = Self.records.map { LogRecord(time: 1, event: $0).kind }
    #expect(kinds == LogRecord.Kind.allCases)
  }

  @Test(arguments: Self.records) func everyKeyOfARecordIsDescribed(event: LogRecord.Event) throws {
    let record = LogRecord(time: 1, event: event)
    let section = try document.section("### `\(record.kind.rawValue)`")
    let keys = keys(of: try payload(event))
    let written = try #require(try written(event)["payload"] as? [String: Any])
    #expect(Set(written.keys) == keys, "a key that is not written, or has no value here")
    #expect(keys.subtracting(section.keys) == [], "keys that the document does not name")
    let nested =
      event == Self.records[9] ? Self.databaseKeys.union(self.keys(of: Self.archive)) : []
    let words = event == Self.records[10] ? Set(CaptureFailure.Reason.allCases.map(\.rawValue)) : []
    #expect(
      section.keys.subtracting(keys).subtracting(nested).subtracting(words) == [], "keys that do not exist")
  }

  @Test func everyKeyOfWhatWasCapturedIsDescribed() throws {
    let section = try document.section("### `evidence`")
    #expect(Self.databaseKeys.union(keys(of: Self.archive)).subtracting(section.keys) == [])
    let payload = try #require(try written(Self.records[9])["payload"] as? [String: Any])
    let database = try #require(payload["database"] as? [String: Any])
    let archive = try #require(payload["archive"] as? [String: Any])
    #expect(Set(database.keys) == Self.databaseKeys)
    #expect(Set(archive.keys) == keys(of: Self.archive))
    #expect(keys(of: Self.archive.skipped[0]).subtracting(section.words) == [])
  }

  @Test func theKeysOfALineAndOfItsTestAreDescribed() throws {
    let section = try document.section("## Logs")
    let line = try written(Self.records[0])
    #expect(section.keys == Set(line.keys).union(keys(of: Self.test)))
    let argument = try #require(Self.test.argument)
    #expect(keys(of: argument).subtracting(section.words) == [])
  }

  // MARK: - Words

  @Test func everyWordIsDescribed() throws {
    func check(_ words: [String], in heading: String) throws {
      #expect(Set(words).subtracting(try document.section(heading).words) == [], "\(heading)")
    }
    try check(TestFramework.allCases.map(\.rawValue), in: "### `testStarted`")
    try check(RecordedIssue.Severity.allCases.map(\.rawValue), in: "### `issue`")
    try check(EvidenceKind.allCases.map(\.rawValue), in: "### `evidence`")
    try check(EvidenceKeep.allCases.map(\.rawValue), in: "### `evidence`")
    try check(DatabaseCapture.Method.allCases.map(\.rawValue), in: "### `evidence`")
    try check(DatabaseCapture.View.allCases.map(\.rawValue), in: "### `evidence`")
    try check(DatabaseCapture.WALState.allCases.map(\.rawValue), in: "### `evidence`")
    try check(CaptureFailure.Reason.allCases.map(\.rawValue), in: "### `captureFailed`")
    try check(TestEnd.Outcome.allCases.map(\.rawValue), in: "### `testFinished`")
  }

  @Test func everyKeyOfTheManifestIsDescribed() throws {
    let owner = ProcessIdentity(pid: 1, startTicks: 2)
    let section = try document.section("### run.json")
    #expect(section.keys == keys(of: RunManifest(run: "a", start: 1, package: "/a")))
    #expect(keys(of: owner).subtracting(section.words) == [])
  }

  @Test func theDocumentIsOfTheFormatThatIsWritten() throws {
    _ = try document.section("# The artifacts folder, format \(ArtifactsFormat.current)")
  }

  /// The stored properties of a value, with those that are `nil`; its keys have their names.
  private func keys(of value: Any) -> Set<String> { Self.keys(of: value) }

  /// With the one key that is written for readers of 1.0 alone.
  private static var databaseKeys: Set<String> { keys(of: database).union(["uncommitted"]) }

  private static func keys(of value: Any) -> Set<String> {
    Set(Mirror(reflecting: value).children.compactMap(\.label))
  }
}
