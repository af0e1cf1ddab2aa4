import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import Attach

/// What is captured for a test that fails, and what is said of what is not.
@Suite struct EvidenceJobTests {
  private let process: RecordedProcess
  private let scope: TestScope

  init() throws {
    process = try RecordedProcess()
    scope = process.beginBesideAnother("test()")
  }

  private func fail(afterBody: Bool = false) {
    process.requests.fail(scope, with: RecordedIssue(message: "failed"), afterBody: afterBody)
  }

  private func lies(_ evidence: CapturedEvidence) throws -> Bool {
    let run = try #require(process.recorder.output.run)
    return FileManager.default.fileExists(atPath: run.path + "/" + evidence.path)
  }

  @Test func itsOpenDatabasesAreCapturedOnceAtTheFirstFailure() throws {
    _ = try process.open(process.path("a.sqlite"), "CREATE TABLE t(x)", by: scope.opener)
    _ = try process.open(process.path("a.sqlite"), by: scope.opener)
    _ = try process.open(":memory:", "CREATE TABLE t(x)", by: scope.opener)
    _ = try process.open(process.path("other.sqlite"), "CREATE TABLE t(x)", by: process.begin("b()").opener)
    fail()
    fail()
    let evidence = try process.evidence(of: scope)
    #expect(evidence.map(\.name) == ["a.sqlite", "in-memory"])
    #expect(try evidence.allSatisfy(lies))
    #expect(try process.failures(of: scope) == [])
  }

  @Test func whatItClosedBeforeIsCapturedFromWhatIsHeld() throws {
    try process.close(try process.open(process.path("a.sqlite"), "CREATE TABLE t(x)", by: scope.opener))
    try FileManager.default.removeItem(atPath: process.path("a.sqlite"))
    try process.close(try process.open(":memory:", "CREATE TABLE t(x)", by: scope.opener))
    fail()
    let evidence = try process.evidence(of: scope)
    #expect(evidence.map(\.name) == ["a.sqlite", "in-memory"])
    #expect(evidence.map(\.database?.method) == [.held, .held])
  }

  @Test func whatWasRegisteredComesFirstAndIsNotCapturedAgain() throws {
    _ = try process.open(process.path("a.sqlite"), "CREATE TABLE t(x)", by: scope.opener)
    let url = URL(fileURLWithPath: process.path("b.txt"))
    try Data("text".utf8).write(to: url)
    let database = Evidence.database(at: URL(fileURLWithPath: process.path("a.sqlite")), named: "mine")
    process.requests.register([.file(at: url), database], for: scope, caller: "attachOnFailure")
    fail()
    #expect(try process.evidence(of: scope).map(\.name) == ["b.txt", "mine"])
  }

  @Test func rowsOfExcludedTablesAreInNoCapture() throws {
    _ = try process.open(
      process.path("a.sqlite"), "CREATE TABLE person(name); INSERT INTO person VALUES('Ada Lovelace')",
      by: scope.opener)
    process.requests.exclude(Exclusions(tables: ["person"]), for: scope)
    fail()
    let evidence = try #require(try process.evidence(of: scope).first)
    let run = try #require(process.recorder.output.run)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: run.path + "/" + evidence.path))
    #expect(bytes.range(of: Data("Lovelace".utf8)) == nil)
  }

  @Test func theStateItStartedFromLiesBeside() throws {
    let connection = try process.open(process.path("a.sqlite"), "CREATE TABLE t(x)", by: scope.opener)
    process.requests.markBaseline([], for: scope)
    #expect(scope.state.withLock { $0.baselines.map(\.connection) } == [connection.number])
    fail()
    let baseline = try #require(try process.evidence(of: scope).first?.database?.baseline)
    let run = try #require(process.recorder.output.run)
    #expect(FileManager.default.fileExists(atPath: run.path + "/" + baseline))
  }

  @Test func evidenceOfAPassingTestGoesUnlessItIsKept() throws {
    process.requests.attach(.text("gone", named: "gone.txt"), keep: .onFailure, to: scope)
    process.requests.attach(.text("kept", named: "kept.txt"), keep: .always, to: scope)
    let evidence = try process.evidence(of: scope)
    #expect(try evidence.map(lies) == [true, true])
    process.recorder.finish(scope, outcome: .passed, duration: 0)
    #expect(try evidence.map(lies) == [false, true])
  }

  @Test func outsideAnyTestItIsRefused() throws {
    process.requests.attach(.text("x", named: "x.txt"), keep: .always, to: nil)
    process.requests.register([.text("x", named: "x.txt")], for: nil, caller: "attachOnFailure")
    process.requests.markBaseline([], for: nil)
    let reasons = try process.events(of: nil).compactMap {
      if let failure = $0 as? CaptureFailure { failure.reason } else { nil }
    }
    #expect(reasons == [.outsideTest, .outsideTest, .outsideTest])
  }

  @Test func aDatabaseAboveTheBudgetIsNamed() throws {
    let process = try RecordedProcess(["EXHIBIT_MAX_DATABASE": "4096"])
    let scope = process.beginBesideAnother("large()")
    _ = try process.open(
      process.path("a.sqlite"), "CREATE TABLE t(x); INSERT INTO t VALUES(zeroblob(100000))", by: scope.opener)
    process.requests.fail(scope, with: RecordedIssue(message: "failed"), afterBody: false)
    #expect(try process.failures(of: scope).map(\.reason) == [.overBudget])
  }
}
