import Collector
import ExhibitSystem
import Foundation
import Testing

/// Attach under every way of running tests, and switched off.
@Suite struct ModesTests {
  private static let failing = "QueueTests.QueueTests/testLocalQueueOnDisk"

  @Test func onlyRegisteredDatabasesOnRequest() async throws {
    let environment = ["EXHIBIT_CAPTURE": "registered"]
    let run = try await FixturePackage.recorded.test(
      ["--filter", "testLocalQueueOnDisk|testEveryKind|testByConnection"], environment: environment)
    #expect(run.evidence(of: Self.failing).isEmpty)
    #expect(run.issues(of: Self.failing).count == 1)
    #expect(run.evidence(of: "EvidenceTests.EvidenceXCTests/testEveryKind").count == 4)
    let byConnection = run.evidence(of: "ConnectionTests.ConnectionTests/testByConnection")
    #expect(byConnection.map(\.name) == ["named by the test"])
  }

  @Test func nothingAtAllOnRequest() async throws {
    let run = try await FixturePackage.recorded.test(
      ["--filter", "testLocalQueueOnDisk|testEveryKind"], environment: ["EXHIBIT_CAPTURE": "off"])
    #expect(run.records.allSatisfy { !$0.isOf(CapturedEvidence.self) && !$0.isOf(CaptureFailure.self) })
    #expect(run.outcomes.count == 2)
  }

  @Test func sqliteCanStillBeConfigured() async throws {
    let run = try await FixturePackage.recorded.test(["--filter", "ConfigTests"])
    #expect(run.status == 0, "\(run.output)")
  }

  @Test(.enabled(if: LongTests.areAsked, "EXHIBIT_LONG_TESTS=1")) func releaseBuildsRecordToo() async throws {
    let debug = try await FixturePackage.verdicts.test()
    let release = try await FixturePackage.verdictsInRelease.test()
    #expect(release.outcomes == debug.outcomes)
    let test = "VerdictXCTests.VerdictXCTests/testFails"
    #expect(try release.value("SELECT a FROM t", in: try #require(release.evidence(of: test).first)) == "1")
  }

  /// Optimised, and where sanitizers watch what is read of stacks and what is left at the end.
  ///
  /// In short without any of them; all with `EXHIBIT_LONG_TESTS=1`.
  @Test(
    arguments: [FixturePackage.verdicts]
      + (LongTests.areAsked
        ? [.verdictsWithThreadSanitizer, .verdictsInRelease, .verdictsWithAddressSanitizer] : []))
  func placesAreRightInEachKindOfBuild(package: FixturePackage) async throws {
    // XCTest itself leaves memory behind, without us too.
    let run = try await package.report(
      ["--filter", "VerdictXCTests\\.VerdictXCTests"], environment: ["ASAN_OPTIONS": "detect_leaks=0"])
    #expect(!run.output.contains("Sanitizer"), "\(run.output)")
    let file = package.folder.appendingPathComponent("Tests/VerdictXCTests/VerdictXCTests.swift")
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    // The call begins in the line before.
    let line = try #require(lines.firstIndex { $0.contains("CREATE TABLE t(a); INSERT INTO t VALUES (1)") })
    let page = try run.page("testFailsTwice")
    #expect(page.contains("<code><bdi>VerdictXCTests.setUp() VerdictXCTests.swift:\(line)"))
    #expect(
      page.contains("<dt>Opened in</dt><dd><bdi>VerdictXCTests.setUp() VerdictXCTests.swift:\(line - 1)"))
  }

  @Test(.enabled(if: LongTests.areAsked, "EXHIBIT_LONG_TESTS=1"))
  func threadSanitizerFindsNothing() async throws {
    let run = try await FixturePackage.verdictsWithThreadSanitizer.test()
    #expect(!run.output.contains("ThreadSanitizer"), "\(run.output)")
    #expect(run.outcomes.count > 80)
    // Tests at once on one connection, each of which has one of its own besides.
    let shared = run.outcomes.keys.filter { $0.contains("besideOthers") }
    #expect(shared.count == 24)
    for test in shared where run.outcomes[test] == .failed {
      #expect(try run.story(of: test) != nil, "\(test)")
    }
  }

  @Test func aFolderThatCannotBeWrittenChangesNoVerdict() async throws {
    let usual = try await FixturePackage.verdicts.test(["--filter", "VerdictXCTests.VerdictXCTests"])
    let run = try await FixturePackage.verdicts.test(
      ["--filter", "VerdictXCTests.VerdictXCTests"], environment: ["EXHIBIT_ARTIFACTS": "/proc/nowhere"])
    #expect(run.status == usual.status)
    #expect(Verdicts(of: run.output).xctests == Verdicts(of: usual.output).xctests)
    #expect(run.output.split(separator: "\n").filter { $0.contains("Exhibit:") }.count == 1)
  }

  @Test func whatIsOverBudgetIsNamedWithItsSize() async throws {
    let run = try await FixturePackage.recorded.test(
      ["--filter", "testLocalQueueOnDisk"], environment: ["EXHIBIT_MAX_DATABASE": "4096"])
    let failure = try #require(run.failures(of: Self.failing).first)
    #expect(failure.reason == .overBudget)
    #expect(failure.bytes == 8192)
    #expect(run.evidence(of: Self.failing).isEmpty)
    let story = try #require(try run.story(of: Self.failing))
    let folder = try #require(FileSystem.parentFolder(of: story))
    #expect(try FileSystem.entries(of: folder) == ["story.jsonl"], "what it did is told all the same")
  }

  /// Databases on disk and in memory, pools whose WALs hold more, and what was not committed.
  @Test(arguments: [false, true]) func whatExceedsTheRunsBudgetIsNamedInLogPageAndSummary(atOnce: Bool)
    async throws
  {
    let limit = 40_000
    let filter = atOnce ? "TraitTests\\.TraitTests" : "QueueTests\\.QueueTests"
    let run = try await FixturePackage.recorded.report(
      ["--filter", filter], environment: ["EXHIBIT_MAX_RUN": "\(limit)"])
    let failures = run.records.compactMap { record -> (test: String, failure: CaptureFailure)? in
      guard let failure = record.payload as? CaptureFailure, let test = record.test else { return nil }
      return (test.description, failure)
    }
    #expect(!failures.isEmpty && failures.allSatisfy { $0.failure.reason == .overBudget })
    #expect(run.records.contains { $0.isOf(CapturedEvidence.self) })
    let folder = try #require(try run.runs.first) + "/evidence"
    #expect(FileSystem.size(of: folder) <= limit)
    for test in try FileSystem.entries(of: folder) {
      #expect(try !FileSystem.entries(of: folder + "/" + test).isEmpty)
    }
    let report = try ReportJSON(of: run)
    let summary = try String(contentsOfFile: report.folder + "/summary.md", encoding: .utf8)
    for (test, failure) in failures {
      let sentence = "\(try #require(failure.bytes)) bytes"
      #expect(failure.bytes ?? 0 > 0 && failure.message.contains(sentence), "\(test)")
      let page = try #require(report.document.tests.first { $0.id == test }?.page, "\(test)")
      let file = String(page.prefix { $0 != "#" })
      #expect(
        try String(contentsOfFile: report.folder + "/" + file, encoding: .utf8).contains(sentence), "\(test)")
      #expect(summary.contains(sentence), "\(test)")
      #expect(report.document.faults.contains { $0.message.contains(sentence) })
    }
  }

  @Test func nothingIsCapturedWhenTheDiskIsNearlyFull() async throws {
    let run = try await FixturePackage.recorded.test(
      ["--filter", "testLocalQueueOnDisk"], environment: ["EXHIBIT_MIN_FREE": "1000000 GiB"])
    #expect(run.failures(of: Self.failing).map(\.reason) == [.overBudget])
  }
}
