import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportPipeline
@testable import ReportReading
@testable import ReportTestSupport

/// What Attach really wrote, with what `swift test` wrote beside it.
@Suite struct RecordedLogsTests {
  private func report(_ recording: String) throws -> (runs: [RunInputs], join: InputJoin) {
    let runs = try readRuns([Fixture.recording(recording)], choice: .newest)
    return (runs, InputJoin(runs.flatMap(\.inputs)))
  }

  private func kinds(_ runs: [RunInputs]) -> [String: Int] {
    var remarks = Remarks()
    RunChecks.checkIssuesOutside(runs.flatMap(\.inputs), &remarks)
    let faults =
      runs.flatMap(\.inputs).flatMap(\.remarks.faults) + runs.flatMap(\.remarks.faults) + remarks.faults
    return faults.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
  }

  @Test(arguments: ["verdicts-serial", "verdicts-parallel"]) func everyVerdictIsThatOfTheTest(name: String)
    throws
  {
    let (runs, join) = try report(name)
    #expect(join.remarks.faults.isEmpty)
    #expect(join.tests.count == 60)
    #expect(join["VerdictXCTests.VerdictXCTests/testSkips"]?.outcome == .skipped)
    #expect(join["VerdictXCTests.VerdictXCTests/testSkipsAfterAFailure"]?.outcome == .failed)
    #expect(join["VerdictTraitTests.VerdictTraitTests/known()"]?.outcome == .knownIssue)
    #expect(join["VerdictTraitTests.VerdictTraitTests/parameterised(number:) (3)"]?.outcome == .failed)
    #expect(join["VerdictTraitTests.VerdictTraitTests/parameterised(number:) (4)"]?.outcome == .passed)
    // One from a detached task and one from a queue, however often they are delivered.
    #expect(kinds(runs)["issueOutsideTest"] == 2)
  }

  @Test func theTestThatAskedForEvidenceHasIt() throws {
    let (runs, join) = try report("recorded-evidence")
    #expect(join.remarks.faults.isEmpty)
    #expect(kinds(runs) == ["captureFailed": 6, "issueOutsideTest": 1])
    let every = try #require(join["EvidenceTests.EvidenceXCTests/testEveryKind"])
    #expect(Set(every.observed.map(\.kind)).isSuperset(of: [.directory, .file, .data, .text]))
    let missing = try #require(join["EvidenceTests.EvidenceXCTests/testMissing"])
    #expect(missing.observed.filter { if case .failure = $0.content { true } else { false } }.count == 3)
  }

  @Test(arguments: ["recorded-crash-xctest", "recorded-crash-parallel", "recorded-crash-trait"])
  func aCrashIsNamed(name: String) throws {
    let (runs, join) = try report(name)
    #expect(join.remarks.faults.isEmpty)
    // What the crash cut short is explained by it.
    #expect(kinds(runs)["logEndedEarly"] == nil)
    #expect(runs.flatMap(\.inputs).flatMap(\.remarks.notices).contains { $0.kind == "logEndedEarly" })
    let crashed = join.tests.filter { $0.outcome == .crashed }.map(\.id.name)
    #expect(Set(crashed).isSubset(of: ["testFatalError", "testKilled", "crashes()"]))
    #expect(!crashed.isEmpty)
    #expect(join.tests.allSatisfy { $0.outcome != .unfinished })
  }
}
