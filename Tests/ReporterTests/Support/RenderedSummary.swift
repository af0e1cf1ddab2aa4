@testable import Reporter

func renderSummary(_ contents: ReportContents) -> ReportFile {
  renderSummary(PageContext(contents))
}
