import Collector
import ReportExperiments
import ReportInspection
import ReportModel
import ReportPlaces
import ReportRendering
import ReportStory
import Synchronization

/// Reads a report's evidence and sources, and finds out all that pages tell of them.
struct ContentsLookup {
  var folder: String
  var sourceRoot: SourceRoot
  var includesRows: Bool
  var fixtures: [TestCaseID: [UsedFixture]] = [:]
  var places = CodePlaces()
  var passes = PassesLookup()
  var question: StateQuestion?
  var experiments: [TestCaseID: ExplainedTest] = [:]
  /// Gets what experiments on a failed test begin from.
  var takesBasis: (@Sendable (ExperimentBasis, [CodeFile]) -> Void)?

  /// Looks at several tests at once, with the same result on every machine.
  ///
  /// - Parameter report: Consumed, since a copy may have a million tests.
  func contents(of report: consuming Report, nonce: String) -> ReportContents {
    var contents = ReportContents(report: report, nonce: nonce)
    for (index, looked) in look(at: contents.report.tests) {
      contents.add(looked.contents)
      contents.report.tests[index].setIssuesOfFailure(looked.issuesOfFailure)
      contents.report.add(looked.remarks)
    }
    noteTimes(of: &contents)
    if !includesRows { contents.removeLiterals() }
    return contents
  }

  private func look(at tests: [TestResult]) -> [(index: Int, looked: Looked)] {
    let shared = Self.sharedFiles(of: tests)
    let aside = try? SetAside(in: folder)  // States that find no room there stay in memory.
    let root = sourceRoot
    let sources = StatementSources { linesOfSource($0, root: root) }
    let found = Mutex<[(index: Int, looked: Looked)]>([])
    perform(
      Self.groups(of: tests, sharing: shared).map { group in
        {
          let looked = look(at: group.map { ($0, tests[$0]) }, sharing: shared, aside, sources)
          found.withLock { $0 += looked }
        }
      })
    return found.withLock { $0.sorted { $0.index < $1.index } }
  }

  private struct Looked: Sendable {
    var contents: ReportContents
    var issuesOfFailure: [TestIssue]
    var remarks: Remarks
  }

  /// - Parameter tests: A later one may share files with an earlier one.
  private func look(
    at tests: [(index: Int, test: TestResult)], sharing shared: Set<String>, _ aside: SetAside?,
    _ sources: StatementSources
  ) -> [(index: Int, looked: Looked)] {
    var stories = StoryLookup(given: self, aside: aside, sources: sources)
    var findings = FindingsLookup(folder: folder, includesRows: includesRows)
    var baselines: [String: DatabaseInspection] = [:]
    return tests.map { index, test in
      var contents = ReportContents()
      for evidence in test.evidence {
        // A picture is shown as one, also where it is text.
        if let path = evidence.path, evidence.imagePath == nil,
          let look = EvidenceLook(of: evidence, at: path, in: folder, rows: includesRows)
        {
          contents.add(look, at: path)
        }
        if let baseline = evidence.baseline, contents.databases[baseline] == nil {
          let known = baselines[baseline] ?? inspectDatabase(at: folder + "/" + baseline, rows: includesRows)
          baselines[baseline] = known
          contents.databases[baseline] = known
        }
      }
      compareAlike(test, for: &contents)
      let recorded = test.hasFailedOnce ? stories.read(test, &contents) : nil
      let issues = recorded?.issuesOfFailure(of: test) ?? test.issuesOfFailure
      if test.hasFailedOnce { excerpt(issues, for: &contents) }
      findings.look(at: test, written: stories.written, &contents)
      if test.hasFailedOnce { stories.tell(test, recorded, &contents) }
      lookForLines(of: test, for: &contents)
      stories.forgetWritten(of: test, except: shared)
      defer { stories.remarks = Remarks() }
      return (index, Looked(contents: contents, issuesOfFailure: issues, remarks: stories.remarks))
    }
  }

  private static func sharedFiles(of tests: [TestResult]) -> Set<String> {
    var (seen, shared): (Set<String>, Set<String>) = ([], [])
    for index in tests.detailed {
      for path in tests[index].files where !seen.insert(path).inserted { shared.insert(path) }
    }
    return shared
  }

  private static func groups(of tests: [TestResult], sharing shared: Set<String>) -> [[Int]] {
    var (alone, together): ([[Int]], [Int]) = ([], [])
    for index in tests.detailed {
      if tests[index].files.isDisjoint(with: shared) { alone.append([index]) } else { together.append(index) }
    }
    return together.isEmpty ? alone : [together] + alone
  }

  /// Only a limit of time is a fault: it leaves out different things on each machine.
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
    contents.report.add(remarks)
  }

  private func compareAlike(_ test: TestResult, for contents: inout ReportContents) {
    for (later, earlier) in DatabaseDifference.pairs(of: test.evidence, contents.databases) {
      guard let path = test.evidence[later].path, let other = test.evidence[earlier].path else { continue }
      let changes = compareDatabases(folder + "/" + path, since: folder + "/" + other, rows: includesRows)
      contents.differences[path] = DatabaseDifference(other: other, changes: changes)
    }
  }

  private func lookForLines(of test: TestResult, for contents: inout ReportContents) {
    guard let story = contents.stories[test.id] else { return }
    let references = Set(
      story.lines.compactMap { $0.place?.reference }
        + story.tellingSteps.compactMap { $0.stack?.place?.reference })
    contents.sourceLines.merge(sourceLines(references, root: sourceRoot)) { known, _ in known }
  }

  private func excerpt(_ issues: [TestIssue], for contents: inout ReportContents) {
    for location in issues.compactMap(\.location) where contents.sources[location] == nil {
      contents.sources[location] = excerptSource(reference: location, root: sourceRoot)
    }
  }
}

extension TestResult {
  fileprivate var files: Set<String> {
    Set(self.evidence.compactMap(\.path) + self.evidence.compactMap(\.baseline))
  }
}

extension ReportContents {
  /// For one test, before there is a report.
  fileprivate init() {
    self.init(report: Report(title: "", runs: [], tests: []), nonce: "")
  }

  fileprivate mutating func add(_ other: ReportContents) {
    databases.merge(other.databases) { _, new in new }
    changes.merge(other.changes) { _, new in new }
    differences.merge(other.differences) { _, new in new }
    findings.merge(other.findings) { _, new in new }
    stories.merge(other.stories) { _, new in new }
    states.merge(other.states) { _, new in new }
    archives.merge(other.archives) { _, new in new }
    texts.merge(other.texts) { _, new in new }
    sources.merge(other.sources) { known, _ in known }
    sourceLines.merge(other.sourceLines) { known, _ in known }
    answer = other.answer ?? answer
  }

  fileprivate mutating func removeLiterals() {
    let names = databases.values.reduce(into: Set()) { $0.formUnion($1.names) }
    for path in databases.keys { databases[path]?.removeLiterals(names: names) }
    for path in changes.keys { changes[path]?.removeLiterals(names: names) }
    for path in differences.keys { differences[path]?.changes.removeLiterals(names: names) }
    for path in findings.keys { findings[path]?.removeLiterals() }
  }
}
