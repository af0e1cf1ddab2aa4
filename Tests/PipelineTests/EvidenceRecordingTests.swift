import Collector
import Foundation
import Testing

/// Evidence that tests name themselves, in both frameworks.
@Suite struct EvidenceRecordingTests {
  private func run() async throws -> FixtureRun { try await RecordedRun.serial.run() }

  @Test func everyKindOfEvidence() async throws {
    let run = try await run()
    let evidence = run.evidence(of: "EvidenceTests.EvidenceXCTests/testEveryKind")
    #expect(evidence.map(\.kind) == [.directory, .file, .data, .text])
    #expect(evidence.map(\.name) == ["Store", "notes.txt", "bytes.bin", "log.txt"])
    #expect(try run.text(of: evidence[1]) == "notes")
    #expect(try Data(contentsOf: URL(fileURLWithPath: run.path(of: evidence[2]))) == Data([1, 2, 3]))
    #expect(try run.text(of: evidence[3]) == "a\nb")
    let listing = try ArchiveListing(path: run.path(of: evidence[0]))
    #expect(listing.entries.map(\.path).contains(".Store_SUPPORT/_EXTERNAL_DATA/0001"))
  }

  @Test func aFolderAsZstandardIsInTheReportAndOpensWithoutUs() async throws {
    let run = try await run()
    let report = try ReportJSON(of: run)
    let archives = report.evidence(of: "EvidenceTests.EvidenceXCTests/testZstandard")
    let archive = try #require(archives.first { $0.hasSuffix(".tar.zst") })
    #expect(try report.pages(of: "testZstandard").contains { $0.contains("Store.tar.zst") })
    let list = try await Shell.run(
      ["sh", "-c", "zstd -dc \"$0\" | tar -t", archive], in: ThisPackage.folder)
    #expect(list.status == 0, "\(list.output)")
    let names = list.output.split(separator: "\n").map { $0.hasPrefix("./") ? $0.dropFirst(2) : $0 }
    #expect(names.contains(".Store_SUPPORT/_EXTERNAL_DATA/0001") && names.contains("notes.sqlite"))
    let folder = try TemporaryFolder()
    let unpacked = try await Shell.run(
      [
        "sh", "-c", "zstd -dc \"$0\" | tar -xC \"$1\" && sqlite3 \"$1/notes.sqlite\" 'SELECT text FROM note'",
        archive, folder.path,
      ], in: ThisPackage.folder)
    #expect(unpacked.output == "archived\n")
  }

  @Test func evidenceOfAPassingTestGoesUnlessItIsToBeKept() async throws {
    let run = try await run()
    for test in [
      "EvidenceTests.EvidenceXCTests/testDroppedWhenPassing", "EvidenceTests.EvidenceTraitTests/dropped()",
    ] {
      let evidence = try #require(run.evidence(of: test).first)
      #expect(!FileManager.default.fileExists(atPath: try run.path(of: evidence)))
      #expect(
        !FileManager.default.fileExists(
          atPath: (try run.path(of: evidence) as NSString).deletingLastPathComponent))
    }
    let kept = run.evidence(of: "EvidenceTests.EvidenceXCTests/testKeptAlways")
    #expect(kept.map(\.keep) == [.always, .onFailure])
    #expect(try run.text(of: kept[0]) == "kept")
    #expect(!FileManager.default.fileExists(atPath: try run.path(of: kept[1])))
  }

  @Test func locksThatTheTestTakesStay() async throws {
    let run = try await run()
    let taking = "EvidenceTests.LockTests/testLocksStayWhileFilesAreAttached"
    #expect(run.end(of: taking)?.outcome == .passed)
    #expect(run.evidence(of: taking).count == 105 && run.failures(of: taking).isEmpty)
    let locked = "EvidenceTests.LockTests/testALockedFileIsKept"
    #expect(run.end(of: locked)?.outcome == .passed)
    let evidence = run.evidence(of: locked)
    #expect(evidence.map(\.kind) == [.file, .directory] && run.failures(of: locked).isEmpty)
    #expect(try run.text(of: evidence[0]) == "notes")
    #expect(evidence[1].archive?.skipped == [])
  }

  @Test func equalNamesBothStay() async throws {
    let run = try await run()
    let evidence = run.evidence(of: "EvidenceTests.EvidenceXCTests/testAttachedTwiceUnderOneName")
    #expect(try evidence.map(run.text) == ["first", "second"])
  }

  @Test func whatIsMissingIsNamed() async throws {
    let failures = try await run().failures(of: "EvidenceTests.EvidenceXCTests/testMissing")
    #expect(failures.map(\.kind) == [.file, .directory, .database])
    #expect(failures.allSatisfy { $0.reason == .missing })
  }

  @Test func hostileNamesStayInTheirFolder() async throws {
    let run = try await run()
    let test = "EvidenceTests.EvidenceXCTests/testHostileNames"
    let evidence = run.evidence(of: test)
    #expect(evidence.map(\.name) == ["../../escape.txt", "<script>alert(1)</script>"])
    let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/")
    for each in evidence {
      #expect(each.path.allSatisfy(allowed.contains) && !each.path.contains("/.."))
      #expect(FileManager.default.fileExists(atPath: try run.path(of: each)))
    }
    #expect(run.issues(of: test).first?.message.contains("<script>alert(1)</script> \u{1B}[31mred") == true)
  }

  @Test func aClosedDatabaseIsCapturedWhenItIsNamed() async throws {
    let run = try await run()
    let evidence = run.evidence(of: "EvidenceTests.EvidenceTraitTests/byURL()")
    #expect(Set(evidence.map(\.name)) == ["Shared", "Closed", "response.json"])
  }

  @Test func excludedTablesAndFilesStayAtHome() async throws {
    let run = try await run()
    let evidence = run.evidence(of: "EvidenceTests.EvidenceTraitTests/exclusions()")
    let database = try #require(evidence.first { $0.kind == .database })
    #expect(try run.value("SELECT count(*) FROM secret", in: database) == "0")
    #expect(try run.value("SELECT name FROM player", in: database) == "Ada")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: run.path(of: database)))
    #expect(bytes.range(of: Data("XYZZY".utf8)) == nil)
    let left = try #require(evidence.first { $0.name == "Left" })
    #expect(left.archive?.entries == 0 && left.archive?.skipped.map(\.path) == ["gone.db-wal"])
    #expect(left.archive?.skipped.first?.reason.contains("rows of excluded tables") == true)
    let failures = run.failures(of: "EvidenceTests.EvidenceTraitTests/exclusions()")
    #expect(failures.map(\.name) == ["gone.db-wal"] && !evidence.contains { $0.name == "gone.db-wal" })
    #expect(failures.first?.message.contains("rows of excluded tables") == true)
    let directory = try #require(evidence.first { $0.name == "Shared" })
    let names = try ArchiveListing(path: run.path(of: directory)).entries.map(\.path)
    #expect(names.contains("notes.txt") && !names.contains("token.key"))
    #expect(directory.archive?.skipped.map(\.path) == ["token.key"])
  }

  @Test func outsideARecordedTestItIsAMistakeInTheLog() async throws {
    // Where the entry point is not ours a test without the trait is none that is recorded.
    let run = try await FixturePackage.recorded.testDirectly(
      ["--filter", "EvidenceTests.OutsideTests"], environment: ["EXHIBIT_ENTRY": "off"])
    let mistakes = run.records.compactMap { record -> CaptureFailure? in
      guard record.test == nil, let failure = record.payload as? CaptureFailure else { return nil }
      return failure
    }
    #expect(mistakes.map(\.reason) == [.outsideTest, .outsideTest])
    #expect(mistakes.map(\.name) == ["lost.txt", "lost too.txt"])
    #expect(mistakes.allSatisfy { $0.message.contains(".attachOnFailure") })
  }
}
