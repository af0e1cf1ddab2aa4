import Testing

@testable import ReportRendering
@testable import ReportTestSupport

/// Whole reports, byte for byte.
///
/// `EXHIBIT_RECORD=1 swift test --filter GoldenReportTests` records them again.
@Suite struct GoldenReportTests {
  @Test func reportOfAnOrdinaryRun() throws {
    try expectGolden(try report(ordersReport()), in: "orders")
  }

  @Test func reportOfHostileTexts() throws {
    try expectGolden(try report(hostileReport()), in: "hostile")
  }

  /// The style sheet and the script are no part of the golden files: they are those of `templates` themselves.
  private func report(_ contents: ReportContents) throws -> [ReportFile] {
    try renderPages(contents, templates: TemplateLibrary()).filter {
      $0.path != "report.css" && $0.path != "report.js"
    } + [renderSummary(contents), renderComment(PageContext(contents))]
  }
}
