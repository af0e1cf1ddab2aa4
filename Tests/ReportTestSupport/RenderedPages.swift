import ExhibitSystem

@testable import ReportRendering

/// The pages, all together.
func renderPages(_ contents: ReportContents, templates: TemplateLibrary) throws -> [ReportFile] {
  let files = Locked<[ReportFile]>([])
  for task in pageTasks(
    PageContext(contents), templates: templates, take: { file in files.withLock { $0.append(file) } })
  {
    try task()
  }
  return files.withLock { $0 }
}
