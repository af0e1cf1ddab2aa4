import ReportModel

/// Receives rendered files, possibly concurrently.
package typealias TakeFile = @Sendable (ReportFile) throws -> Void

/// An independent part of rendering.
package typealias RenderTask = @Sendable () throws -> Void

/// The tasks that render all pages, styles, scripts and their data.
///
/// Pages work without scripts and use only relative links.
///
/// - Parameter take: Gets each file when made, to limit memory.
/// - Returns: Tasks that throw `TemplateError.missing` or the errors of `take`.
package func pageTasks(
  _ context: PageContext, templates: TemplateLibrary, take: @escaping TakeFile
) -> [RenderTask] {
  let tests = context.contents.report.tests
  var tasks: [RenderTask] = [
    {
      try take(templates.file("index.html", indexValues(in: context), with: "index"))
      try take(ReportFile(path: "report.css", text: templates.styleSheet))
      try take(ReportFile(path: "report.js", text: templates.script))
    }
  ]
  if let trends = context.contents.trends {
    let page = TrendsPage(
      trends: trends, title: context.contents.report.title, nonce: context.contents.nonce, hasReport: true,
      links: TrendLinks(context))
    tasks.append { try take(page.file(templates)) }
  }
  tasks += (0..<partCount(tests.count, of: testsInADataFile)).map { number in
    { try take(testDataFile(number, in: context)) }
  }
  tasks += (0..<partCount(context.failures.count, of: failuresInADataFile)).map { number in
    { try take(failureDataFile(number, in: context)) }
  }
  tasks.append { if let file = ValuesFile.file(in: context) { try take(file) } }
  if context.failures.count > 1 {
    tasks.append {
      // It shows two failures in frames.
      var values = context.pageValues(title: "Two failures beside each other · \(context.project)")
      values.set("hasFrames", to: true)
      try take(templates.file("compare.html", values, with: "compare"))
    }
  }
  tasks += (1...failurePageCount(context.failures.count)).dropFirst().map { number in
    {
      let values = failurePageValues(number: number, in: context)
      try take(templates.file(failurePagePath(number), values, with: "failures-page"))
    }
  }
  return tasks + testPageTasks(context.from("../"), templates, take)
}

private let pagesInATask = 100

/// Pages of failures in list order, then of other tests.
private func testPageTasks(
  _ context: PageContext, _ templates: TemplateLibrary, _ take: @escaping TakeFile
) -> [RenderTask] {
  let failures = context.failures
  let others = context.others
  let write: @Sendable (TestResult, FailureNeighbours?) throws -> Void = { test, neighbours in
    guard context.names.anchor(of: test.id) == nil, let path = context.names.path(of: test) else { return }
    try take(templates.file(path, testPageValues(test, neighbours, in: context), with: "test-page"))
    if let setUp = context.setUpPath(of: test), let values = setUpPageValues(of: test, in: context) {
      try take(templates.file(setUp, values, with: "set-up-page"))
    }
    if let further = furtherIssuesFile(of: test, in: context) { try take(further) }
    if let states = try statesFile(of: test, in: context) { try take(states) }
    if let marks = rowMarksFile(of: test, in: context) { try take(marks) }
  }
  var tasks = stride(from: 0, to: failures.count, by: pagesInATask).map { start -> RenderTask in
    {
      for position in start..<min(failures.count, start + pagesInATask) {
        try write(failures[position], FailureNeighbours(position: position, failures: failures))
      }
    }
  }
  tasks += context.names.sharedFiles.map { positions in
    { try writeSharedPage(of: positions, context, templates, take) }
  }
  tasks += stride(from: 0, to: others.count, by: pagesInATask).map { start -> RenderTask in
    { for test in others[start..<min(others.count, start + pagesInATask)] { try write(test, nil) } }
  }
  return tasks
}

private func writeSharedPage(
  of positions: [Int], _ context: PageContext, _ templates: TemplateLibrary, _ take: TakeFile
) throws {
  guard let first = positions.first, let last = positions.last else { return }
  let failures = context.failures
  let path = PageNames.path(ofFileFrom: first)
  let range = "Failures \(grouped(first + 1)) to \(grouped(last + 1)) of \(grouped(failures.count))"
  var values = context.pageValues(title: "\(range) · \(context.project)")
  values.set("pagePath", to: path)
  values.set("chunk", to: first / failuresInADataFile)
  values.set(
    "parts",
    to: positions.map {
      testPageValues(failures[$0], FailureNeighbours(position: $0, failures: failures), in: context)
    })
  try take(templates.file(path, values, with: "shared-page"))
  for position in positions {
    if let further = furtherIssuesFile(of: failures[position], in: context) { try take(further) }
  }
}

extension ReportFile {
  init(path: String, text: String) {
    self.init(path: path, contents: Array(text.utf8))
  }
}
