import Collector
import ExhibitSystem
import Foundation
import Testing

/// How a run lies in the artifacts folder.
@Suite struct RunFolderRecordingTests {
  private func attributes(_ path: String) throws -> Int {
    let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    return try #require(value)
  }

  @Test func theFolderIsPrivateAndIgnoredByGit() async throws {
    let run = try await RecordedRun.serial.run()
    let folder = try #require(try run.runs.first)
    #expect(try run.runs.count == 1)
    let ignored = try String(contentsOfFile: run.artifacts.path + "/.gitignore", encoding: .utf8)
    #expect(ignored == "*\n")
    for item in try FileManager.default.subpathsOfDirectory(atPath: folder) where !item.hasPrefix("inputs") {
      var isFolder: ObjCBool = false
      let path = folder + "/" + item
      _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      #expect(try attributes(path) == (isFolder.boolValue ? 0o700 : 0o600), "\(item)")
    }
  }

  @Test func runJSONTellsTheRun() async throws {
    let run = try await RecordedRun.serial.run()
    let folder = RunFolder(path: try #require(try run.runs.first))
    let manifest = try #require(RunManifest(readingMarkOf: folder))
    #expect(manifest.package == run.package.path)
    #expect(manifest.run == folder.name)
    #expect(manifest.toolchain?.hasPrefix("Swift 6") == true)
    #expect(abs(manifest.start - Date().timeIntervalSince1970) < 3600)
  }

  @Test func everyProcessOfASwiftTestFindsTheSameRun() async throws {
    let run = try await FixturePackage.verdicts.test(["--parallel"])
    #expect(try run.runs.count == 1)
    #expect(run.logs.count == 12, "eleven XCTests and the process of Swift Testing")
    #expect(run.logs.allSatisfy { $0.isEnded && $0.problems.isEmpty })
  }

  @Test func aRunWithFailuresSaysOnceWhereItsEvidenceIs() async throws {
    let run = try await FixturePackage.verdicts.test(["--parallel"])
    let lines = run.output.split(separator: "\n").filter { $0.contains("Exhibit:") }
    #expect(lines.count == 1)
    #expect(lines.first?.contains("swift run reporter report") == true)
    #expect(lines.first?.contains(try #require(try run.runs.first)) == true)
  }

  @Test func aRunWithoutFailuresSaysNothing() async throws {
    let run = try await FixturePackage.verdicts.test([
      "--filter", "VerdictXCTests/testPasses|VerdictTraitTests/passes",
    ])
    #expect(run.status == 0)
    #expect(!run.output.contains("Exhibit"))
    #expect(run.outcomes.values.allSatisfy { $0 == .passed } && run.outcomes.count == 2)
  }

  @Test func severalInvocationsCanBeOneRun() async throws {
    let artifacts = try TemporaryFolder()
    let environment = ["EXHIBIT_RUN": "job 7", "EXHIBIT_ARTIFACTS": artifacts.path]
    for filter in ["testPasses", "testFails$"] {
      _ = try await FixturePackage.verdicts.test(["--filter", filter], environment: environment)
    }
    let runs = try FileSystem.entries(of: artifacts.path + "/runs")
    #expect(runs == [SafeName("job 7").description])
    #expect(try FileSystem.entries(of: artifacts.path + "/runs/\(runs[0])/logs").count == 2)
  }

  /// Removed twice, or moved away: once after a failure and once before one.
  @Test(arguments: [false, true]) func aFolderThatGoesWhileTestsRunIsBegunAnewAndSaid(isMoved: Bool)
    async throws
  {
    let environment = isMoved ? ["MOVE_RUNS": "1"] : [:]
    let tests = isMoved ? "test[123]" : "test[12345]"
    let run = try await FixturePackage.recorded.report(
      ["--filter", "RemovedRunXCTests/\(tests)", "--disable-swift-testing"], environment: environment)
    #expect(run.status == 1)
    let id = "ClosingTests.RemovedRunXCTests/test"
    let failed = isMoved ? "3FailsAfterwards" : "4ItGoesBeforeTheFailure"
    let evidence = try #require(run.evidence(of: id + failed).first, "\(run.output)")
    #expect(try run.value("SELECT a FROM t", in: evidence) == String(failed.prefix(1)))
    #expect(run.end(of: id + failed)?.outcome == .failed)
    if !isMoved { #expect(run.end(of: id + "5PassesAfterwards")?.outcome == .passed) }
    let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("Exhibit:") }
    #expect(lines.count { $0.contains("was removed while the tests of its run ran") } == 1, "\(run.output)")
    #expect(run.output.contains("reporter: ") && run.output.contains("was removed while swift test ran"))
    let report = try ReportJSON(of: run)
    #expect(report.degraded && report.outcome(of: id + failed) == "failed")
    #expect(report.document.faults.contains { $0.message.contains("was removed while the tests") })
  }

  /// The new log knows the test that runs, and its database.
  @Test func aTestThatDiesAfterItsFolderWentIsKnown() async throws {
    let run = try await FixturePackage.recorded.report([
      "--filter", "RemovedRunXCTests/test6", "--disable-swift-testing",
    ])
    #expect(run.status == 1, "\(run.output)")
    let report = try ReportJSON(of: run)
    let id = "ClosingTests.RemovedRunXCTests/test6ItGoesAndTheTestDies"
    #expect(report.outcome(of: id) == "crashed")
    #expect(report.evidence(of: id).contains { $0.hasSuffix(".sqlite") }, "\(run.output)")
  }

  @Test func listingTestsLeavesNothing() async throws {
    let artifacts = try TemporaryFolder()
    let listing = try await FixturePackage.verdicts.list(environment: ["EXHIBIT_ARTIFACTS": artifacts.path])
    #expect(listing.status == 0)
    #expect(listing.output.contains("VerdictXCTests.VerdictXCTests/testPasses"))
    #expect(try FileSystem.entries(of: artifacts.path).isEmpty)
  }

  @Test func theChildOfAnExitTestLeavesNothing() async throws {
    let run = try await FixturePackage.verdicts.test(["--filter", "VerdictTraitTests/exits"])
    #expect(run.logs.count == 1)
    #expect(run.outcomes.count == 2)
  }
}
