import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportRendering
@testable import ReportTestSupport

/// The pages in Chromium, from disk as users open them.
@Suite(
  .enabled(
    if: Browser.isAvailable,
    "needs Chromium and the Python packages playwright and axe-playwright-python, which ci/setup installs"))
struct BrowserTests {
  @Test func everyFeatureOfThePages() async throws {
    try await Browser.check("check-orders", try ordersFolder())
  }

  @Test func whatBecameOfTestsSinceABaseline() async throws {
    var report = try ordersReport()
    let tests = report.report.tests
    func id(_ name: String) throws -> String {
      try #require(tests.first { $0.id.name == name }).id.description
    }
    report.summary.baseline = Baseline(tests: [
      try id("testTotalAfterDiscount"): .init(outcome: .failed),
      try id("testInsert"): .init(outcome: .failed),
    ])
    try await Browser.check("check-baseline", try folder(of: report))
  }

  @Test func noHindranceToAccess() async throws {
    try await Browser.check("check-access", try ordersFolder())
  }

  @Test func whatMattersIsReadableEverywhere() async throws {
    try await Browser.check("check-media", try ordersFolder())
  }

  @Test func nothingHostileRuns() async throws {
    let folder = try TemporaryFolder()
    try folder.write(hostileReport())
    try await Browser.check("check-hostile", folder)
  }

  @Test func aReportOfAHundredThousandTestsWorks() async throws {
    let folder = try TemporaryFolder()
    let report = largeReport(tests: 100_000, failures: 1200)
    try folder.write(report)
    try folder.writeSingleFile(report)
    let index = try #require(FileManager.default.contents(atPath: folder.path + "/index.html"))
    #expect(index.count < 1_000_000)
    try await Browser.check("check-large", folder)
    try await Browser.check("check-single", folder)
  }

  private func ordersFolder() throws -> TemporaryFolder { try folder(of: ordersReport()) }

  /// - Parameter report: That of the orders, which has images among its evidence.
  private func folder(of report: ReportContents) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(report)
    for name in ["chart-reference.png", "chart-actual.png"] {
      let image = try Data(contentsOf: URL(fileURLWithPath: "\(Fixture.folder)/Browser/\(name)"))
      try folder.write(image, to: "evidence/Migration/\(name)")
    }
    try folder.writeSingleFile(report)
    return folder
  }

  private func largeReport(tests: Int, failures: Int) -> ReportContents {
    let results = (0..<tests).map { number in
      var test = TestResult(
        id: TestCaseID(module: "AppTests", suite: ["Suite\(number / 100)"], name: "testThing\(number)"),
        framework: .xctest, outcome: .passed, duration: Double(number * 7919 % 1000) / 1000)
      if number % (tests / failures) == 0 {
        let lines = (0..<10).map { "  line \($0) of the message of test \(number)" }
        let message = (["row \(number) is missing"] + lines).joined(separator: "\n")
        test.outcome = .failed
        test.issues = [TestIssue(message: message, location: nil, severity: .error, isKnown: false)]
      }
      return test
    }
    let report = Report(title: "Large", runs: [], tests: results, faults: [], notices: [])
    return ReportContents(report: report, nonce: "n")
  }
}
