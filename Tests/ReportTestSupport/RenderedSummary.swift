@testable import ReportRendering

func renderSummary(_ contents: ReportContents) -> ReportFile {
  renderSummary(PageContext(contents))
}
