import Collector
import ExhibitSystem
import Foundation
import TestSupport
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

  private func written(_ payload: any LogPayload) throws -> [String: Any] {
    let line = LogLine.encode(LogRecord(time: 1, test: Self.test, payload))
    return try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
  }

  @Test func everyKindHasAnExample() throws {
    let declared = try kindsInSources()
    #expect(declared.count > 12)
    #expect(RecordExamples.all.map { type(of: $0).kind }.sorted() == declared)
  }

  /// What the sources of the wire types declare: nothing in the program lists the kinds.
  private func kindsInSources() throws -> [String] {
    let folder = ThisPackage.file("Sources/Collector/Artifacts")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.flatMap { file in
      try String(contentsOf: file, encoding: .utf8).matches(of: /static let kind = "(\w+)"/).map {
        String($0.1)
      }
    }.sorted()
  }

  @Test(arguments: RecordExamples.all.indices) func everyKeyOfARecordIsDescribed(index: Int) throws {
    let payload = RecordExamples.all[index]
    let section = try document.section("### `\(type(of: payload).kind)`")
    let keys = keys(of: payload)
    let written = try #require(try written(payload)["payload"] as? [String: Any])
    #expect(Set(written.keys) == keys, "a key that is not written, or has no value here")
    #expect(keys.subtracting(section.keys) == [], "keys that the document does not name")
    let nested =
      payload is CapturedEvidence ? Self.databaseKeys.union(self.keys(of: RecordExamples.archive)) : []
    let words = payload is CaptureFailure ? Set(CaptureFailure.Reason.allCases.map(\.rawValue)) : []
    #expect(
      section.keys.subtracting(keys).subtracting(nested).subtracting(words) == [], "keys that do not exist")
  }

  @Test func everyKeyOfWhatWasCapturedIsDescribed() throws {
    let section = try document.section("### `evidence`")
    #expect(Self.databaseKeys.union(keys(of: RecordExamples.archive)).subtracting(section.keys) == [])
    let payload = try #require(try written(RecordExamples.evidence)["payload"] as? [String: Any])
    let database = try #require(payload["database"] as? [String: Any])
    let archive = try #require(payload["archive"] as? [String: Any])
    #expect(Set(database.keys) == Self.databaseKeys)
    #expect(Set(archive.keys) == keys(of: RecordExamples.archive))
    #expect(keys(of: RecordExamples.archive.skipped[0]).subtracting(section.words) == [])
  }

  @Test func theKeysOfALineAndOfItsTestAreDescribed() throws {
    let section = try document.section("## Logs")
    let line = try written(RecordExamples.all[0])
    let test = try #require(line["test"] as? [String: Any])
    #expect(section.keys == Set(line.keys).union(test.keys))
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
    try check(TraceInMemory.Reason.allCases.map(\.rawValue), in: "### `traceInMemory`")
    try check(PassesLeftOut.Reason.allCases.map(\.rawValue), in: "### `passesLeftOut`")
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

  private static var databaseKeys: Set<String> { keys(of: RecordExamples.database) }

  private static func keys(of value: Any) -> Set<String> {
    Set(Mirror(reflecting: value).children.compactMap(\.label))
  }
}
