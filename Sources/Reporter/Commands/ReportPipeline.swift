import Collector
import Foundation

/// From what was read to a report that lies in its folder.
struct ReportPipeline {
  /// An absolute path.
  var output: String
  var sourceRoot: SourceRoot
  var title: String
  var includesRows: Bool
  /// A folder with templates that replace the built-in ones.
  var templates: String?
  var nonce: String
  var summary: SummaryOptions

  /// - Returns: The report that was written.
  ///
  /// - Throws: `ReportFolder.WritingError`, or what a renderer throws.
  func write(_ set: consuming InputSet) throws -> Report {
    let folder = try ReportFolder(path: output)
    let report = try build(&set, in: folder)
    try render(lookUp(report, in: folder), in: folder)
    try folder.write("report.json") { try ReportDocument(report).write($0) }
    try folder.write("junit.xml") { try JUnitDocument(report).write($0) }
    try folder.publish()
    return report
  }

  /// - Parameter set: Loses its inputs once they are joined: they can be a million tests.
  private func build(
    _ set: inout InputSet, in folder: ReportFolder
  ) throws(ReportFolder.WritingError) -> Report {
    let join = RunJoin(set)
    var findings = set.findings
    for input in set.inputs { findings.append(input.findings) }
    findings.append(join.findings)
    findings.append(RunChecks.check(set, join.tests))
    set.inputs = []
    var evidence = EvidenceFolder(report: folder.building, root: sourceRoot)
    var tests: [TestResult] = []
    tests.reserveCapacity(join.tests.count)
    for test in join.tests {
      do throws(SystemError) {
        tests.append(test.result(evidence: try evidence.bring(test, &findings), root: sourceRoot))
      } catch {
        throw .file(error)
      }
    }
    return Report(title: title, runs: set.runs, tests: tests, findings: findings)
  }

  private func lookUp(_ report: Report, in folder: ReportFolder) -> ReportContents {
    let lookup = ContentsLookup(
      folder: folder.building, sourceRoot: sourceRoot, includesRows: includesRows)
    var contents = lookup.contents(of: report, nonce: nonce)
    contents.summary = summary
    return contents
  }

  private func render(_ contents: ReportContents, in folder: ReportFolder) throws {
    let library = try TemplateLibrary(overrides: templates.map { URL(fileURLWithPath: $0) })
    try renderPages(contents, templates: library) { try folder.write($0) }
    try folder.write(renderSummary(contents))
  }
}
