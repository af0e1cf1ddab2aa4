import Collector
import Foundation
import ReportInspection
import ReportModel
import ReportRendering
import ReportStory

/// Looks into a report's evidence and sources; the only step that reads them.
struct ContentsLookup {
  /// The report folder, as an absolute path.
  var folder: String
  var sourceRoot: SourceRoot
  var includesRows: Bool
  /// The migration fixtures that tests took copies of.
  var fixtures: [TestCaseID: [UsedFixture]] = [:]
  /// What is asked for of the stories' states.
  var question: StateQuestion?

  func contents(of report: Report, nonce: String) -> ReportContents {
    var contents = ReportContents(
      report: report, databases: [:], archives: [:], texts: [:], sources: [:], nonce: nonce)
    var stories = StoryLookup(
      folder: folder, sourceRoot: sourceRoot, includesRows: includesRows, fixtures: fixtures,
      question: question)
    var findings = FindingsLookup(folder: folder, includesRows: includesRows)
    let shared = Self.sharedEvidence(of: report.tests)
    for index in report.tests.indices where !report.tests[index].isPlain {
      let test = report.tests[index]
      for evidence in test.evidence {
        look(at: evidence, for: &contents)
        if let baseline = evidence.database?.baseline, contents.databases[baseline] == nil {
          contents.databases[baseline] = inspectDatabase(at: folder + "/" + baseline, rows: includesRows)
        }
      }
      compareAlike(test, for: &contents)
      if test.outcome.isFailure { excerpt(test, for: &contents) }
      let recorded = test.hasFailedOnce ? stories.read(test, &contents) : nil
      findings.look(at: test, written: stories.written, &contents)
      if test.hasFailedOnce { stories.tell(test, recorded, &contents) }
      stories.forgetWritten(of: test, except: shared)
    }
    contents.report.faults += stories.remarks.faults
    contents.report.notices += stories.remarks.notices
    noteTimes(of: &contents)
    if !includesRows { contents.removeLiterals() }
    return contents
  }

  /// The paths of files that several tests have.
  private static func sharedEvidence(of tests: [TestResult]) -> Set<String> {
    var (seen, shared): (Set<String>, Set<String>) = ([], [])
    for index in tests.indices where !tests[index].isPlain {
      for path in Set(tests[index].evidence.compactMap(\.path)) where !seen.insert(path).inserted {
        shared.insert(path)
      }
    }
    return shared
  }

  /// Every other limit counts, and leaves the same out on every machine.
  private func noteTimes(of contents: inout ReportContents) {
    var remarks = Remarks()
    let late =
      contents.databases.filter(\.value.isCutByTime).map(\.key)
      + contents.changes.filter(\.value.isCutByTime).map(\.key)
      + contents.differences.filter(\.value.changes.isCutByTime).map(\.key)
      + contents.findings.filter(\.value.isCutByTime).map(\.key)
    for path in Set(late).sorted() {
      remarks.fault(.limitExceeded, "\(path) takes too long to read; what the report shows of it is cut.")
    }
    contents.report.faults += remarks.faults
  }

  private func look(at evidence: TestEvidence, for contents: inout ReportContents) {
    guard let path = evidence.path else { return }
    let file = folder + "/" + path
    switch evidence.kind {
    case .database:
      contents.databases[path] = inspectDatabase(at: file, rows: includesRows)
      guard let baseline = evidence.database?.baseline else { break }
      contents.changes[path] = compareDatabases(file, since: folder + "/" + baseline, rows: includesRows)
    case .directory: contents.archives[path] = inspectArchive(at: file)
    // What a test attached may hold the values that are to be left out.
    case .text where includesRows: contents.texts[path] = previewText(at: file)
    case .file where includesRows, .data where includesRows:
      if evidence.imagePath == nil { contents.texts[path] = previewText(at: file) }
    case .text, .file, .data, .story: break
    }
  }

  private func compareAlike(_ test: TestResult, for contents: inout ReportContents) {
    for (later, earlier) in DatabaseDifference.pairs(of: test.evidence, contents.databases) {
      guard let path = test.evidence[later].path, let other = test.evidence[earlier].path else { continue }
      let changes = compareDatabases(folder + "/" + path, since: folder + "/" + other, rows: includesRows)
      contents.differences[path] = DatabaseDifference(other: other, changes: changes)
    }
  }

  private func excerpt(_ test: TestResult, for contents: inout ReportContents) {
    for location in test.issues.compactMap(\.location) where contents.sources[location] == nil {
      contents.sources[location] = excerptSource(reference: location, root: sourceRoot)
    }
  }
}

extension ReportContents {
  /// Takes out of what is told of schemas what readers may not see who may not see rows.
  fileprivate mutating func removeLiterals() {
    let names = databases.values.reduce(into: Set()) { $0.formUnion($1.names) }
    for path in databases.keys { databases[path]?.removeLiterals(names: names) }
    for path in changes.keys { changes[path]?.removeLiterals(names: names) }
    for path in differences.keys { differences[path]?.changes.removeLiterals(names: names) }
    for path in findings.keys { findings[path]?.removeLiterals() }
  }
}
