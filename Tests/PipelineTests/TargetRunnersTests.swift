import Collector
import Foundation
import Testing

/// With `--build-system swiftbuild` each test target has a runner of its own, which writes its event stream and xunit over
/// those of the others.
@Suite struct TargetRunnersTests {
  @Test(.enabled(if: LongTests.areAsked, "EXHIBIT_LONG_TESTS=1"))
  func theReportHasTheSameTestsAsWithTheOtherBuildSystem() async throws {
    let runners = try await FixturePackage.verdictsWithSwiftBuild.report()
    #expect(
      Set(runners.logs.compactMap(\.header?.executable)).isSuperset(of: [
        "VerdictXCTests-test-runner", "VerdictTraitTests-test-runner",
      ]))
    let ofRunners = try ReportJSON(of: runners).document
    let ofOne = try ReportJSON(of: try await FixturePackage.verdicts.report()).document
    let outcomes = { (document: ReportJSON.Document) in
      Dictionary(document.tests.map { ($0.id, $0.outcome) }, uniquingKeysWith: { first, _ in first })
    }
    #expect(outcomes(ofRunners) == outcomes(ofOne))
    #expect(ofRunners.faults.map(\.kind) == ofOne.faults.map(\.kind))
    // Nothing but what tests did on purpose, and that Swift Testing's xunit has no test whose arguments throw.
    let intended = ["captureFailed", "missingTest"] + Array(repeating: "issueOutsideTest", count: 4)
    #expect(ofRunners.faults.map(\.kind) == intended)
  }
}
