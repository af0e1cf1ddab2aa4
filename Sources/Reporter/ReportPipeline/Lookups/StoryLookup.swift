import Collector
import ExhibitSQLite
import Foundation
import ReportCauses
import ReportExperiments
import ReportInspection
import ReportModel
import ReportPasses
import ReportPlaces
import ReportRendering
import ReportStory

/// Finds what failed tests did, from records or from differences between a database's states.
struct StoryLookup {
  let given: ContentsLookup
  var remarks = Remarks()
  private(set) var written: [String: WrittenRows] = [:]
  /// Takes tests' states until their pages are written; `nil` for memory.
  let aside: SetAside?
  let sources: StatementSources

  private var folder: String { given.folder }
  private var sourceRoot: SourceRoot { given.sourceRoot }
  private var includesRows: Bool { given.includesRows }
  private var question: StateQuestion? { given.question }

  /// A recorded story, compared with the captured databases.
  struct Recorded {
    fileprivate let builder: StoryBuilder
    fileprivate var run: RunID?
    fileprivate var schemas: [CapturedSchema]
    fileprivate var contradictions: [(evidence: String, messages: [String])]

    func issuesOfFailure(of test: TestResult) -> [TestIssue] {
      // Another attempt's issues have other steps.
      let isOfAnother =
        run != nil
        && test.attempts.enumerated().contains { index, attempt in
          attempt.run == run && index != test.earlierFailure
        }
      return isOfAnother ? test.issuesOfFailure : builder.issues
    }
  }

  mutating func tell(_ test: TestResult, _ recorded: Recorded?, _ contents: inout ReportContents) {
    guard var story = recorded.map({ self.story(of: test, $0, contents) }) ?? told(test, contents) else {
      return
    }
    if !includesRows {
      let names = test.evidence.compactMap { schema(of: $0, contents) }.flatMap { schema in
        schema.tables.flatMap { [$0.key] + $0.value.columns.map(\.name) } + schema.triggers.map(\.name)
      }
      story.removeValues(names: Set(names.map { $0.lowercased() }))
    }
    story.cut()
    contents.stories[test.id] = story
  }

  /// Frees memory once a test's findings are known, except for files of other tests.
  mutating func forgetWritten(of test: TestResult, except others: Set<String>) {
    for path in test.evidence.compactMap(\.path) where !others.contains(path) { written[path] = nil }
  }

  /// Reads the last attempt's story, and the rows that it wrote.
  mutating func read(_ test: TestResult, _ contents: inout ReportContents) -> Recorded? {
    guard let evidence = test.evidence.last(where: { $0.kind == .story && $0.path != nil }),
      let path = evidence.path, let recorded = read(path, bytes: evidence.bytes ?? 0, of: test)
    else { return nil }
    // Another attempt's database has other rows.
    let schemas = test.evidence.filter { $0.run == evidence.run }.compactMap { schema(of: $0, contents) }
    let root = sourceRoot
    let builder = StoryBuilder(
      recorded, issues: test.issuesOfFailure, schemas: schemas, inspections: contents.databases,
      path: root.relative, places: given.places, sources: sources)
    var found: [(evidence: String, messages: [String])] = []
    for schema in schemas {
      guard let database = builder.database(of: schema) else { continue }
      written[schema.evidence] = builder.writtenRows(in: database, schema)
      let messages = StoryCheck.contradictions(
        of: builder.toldRows(in: database), in: folder + "/" + schema.evidence, schema)
      if let captured = test.evidence.first(where: { $0.path == schema.evidence && $0.run == evidence.run }),
        let history = history(of: captured, test, net: recorded.withoutChanges != nil)
      {
        builder.add(history, of: database)
      }
      found.append((schema.evidence, messages))
    }
    if let question {
      contents.answer = builder.answer(to: question, of: schemas, in: folder, includesRows: includesRows)
    }
    if includesRows, question == nil {
      contents.states[test.id] = StatesData(builder.timelines(of: schemas, in: folder), of: test, aside)
    }
    return Recorded(builder: builder, run: evidence.run, schemas: schemas, contradictions: found)
  }

  private mutating func story(
    of test: TestResult, _ recorded: Recorded, _ contents: ReportContents
  ) -> Story {
    let findings = TestFindings(test, contents)
    let (explanations, comparison) = explanations(of: test, recorded, findings)
    var story = recorded.builder.story(naming: FindingsPart.steps(of: findings), explanations)
    story.comparison = comparison
    let captured = test.evidence.filter { $0.kind == .database && $0.run == recorded.run }
    explain(&story, recorded.schemas, recorded.builder)
    explainDropped(&story, captured.flatMap { states(of: $0, among: captured, test, contents) })
    for (evidence, messages) in recorded.contradictions {
      story.notices += messages
      for message in messages {
        remarks.notice(.storyContradicted, "\(test.id): \(message)", input: evidence)
      }
    }
    return story
  }

  private func explanations(
    of test: TestResult, _ recorded: Recorded, _ findings: TestFindings
  ) -> ([Explanation], PassComparison?) {
    let experiments = given.experiments[test.id]
    let failed = test.issuesOfFailure.first(where: \.isFailure)
    // A crash may have no issue; experiments ask how it ends.
    guard question == nil, failed != nil || experiments != nil || given.takesBasis != nil else {
      return ([], nil)
    }
    let files = recorded.schemas.compactMap { schema in
      recorded.builder.database(of: schema).map {
        CapturedFile(database: $0, schema: schema)
      }
    }
    let told = recorded.builder.toldSteps()
    var found =
      includesRows
      ? findings.explanations { number in told.steps.first { $0.number == number }?.place } : []
    let causes = Causes(
      told, files: includesRows ? files : [], message: includesRows ? failed?.message ?? "" : "")
    let root = sourceRoot
    let passes = given.passes
    let comparing = ComparePasses(told, causes.failingReads, began: test.span?.start) {
      linesOfSource($0, root: root)
    }
    let compared =
      comparing.compare(with: passes.candidates(passes.passes[test.id], path: root.relative))
      ?? comparing.compare(withSiblings: passes.candidates(passes.siblings[test.id], path: root.relative))
    let isOfExperiment = compared?.comparison.origin == .experiment
    if let explanation = compared?.explanation, !isOfExperiment { found.append(explanation) }
    found +=
      experiments?.explanations(told, effect: isOfExperiment ? compared?.explanation : nil) ?? []
    if let takesBasis = given.takesBasis {
      takesBasis(
        ExperimentBasis(
          told, causes.failingReads, recorded.schemas,
          values: CapturedValues(
            includesRows ? recorded.schemas.map { (folder + "/" + $0.evidence, $0) } : []),
          // An experiment reads no output, so that a crash has no message there.
          message: failed.map { $0.isCrash ? "" : $0.message } ?? ""), recorded.builder.code)
    }
    if failed == nil { return (found, compared?.comparison) }
    return (causes.explanations(with: found), compared?.comparison)
  }

  /// Adds captured rows that explain the last steps.
  private func explain(_ story: inout Story, _ schemas: [CapturedSchema], _ builder: StoryBuilder) {
    guard includesRows else { return }
    var known: Set<Int> = []
    // The test saw the rows of its open transaction.
    for schema in schemas.filter(\.isUncommitted) + schemas.filter({ !$0.isUncommitted }) {
      guard let database = builder.database(of: schema), known.insert(database).inserted,
        var rows = try? HighlightRows(folder + "/" + schema.evidence, of: database, schema)
      else { continue }  // The inspection of the same file has told why it cannot be read.
      var (highlights, explanations) = (story.highlights, story.explanations)
      rows.complete(&explanations, highlights)
      rows.complete(&highlights, builder, leading: story.leadingReads, origin: story.originStep) {
        story[step: $0]
      }
      (story.highlights, story.explanations) = (highlights, explanations)
      rows.complete(&story, builder)
    }
  }

  /// Adds the former rows of a dropped table, which no hook reports.
  private func explainDropped(_ story: inout Story, _ states: @autoclosure () -> [StoryStates]) {
    guard story.changes.tables.contains(where: { $0.fate == .dropped }),
      let last = story.highlights.lastIndex(where: { $0.kind == .wrote })
    else { return }
    for state in states() where state.source == .baseline || state.source == .fixture {
      for table in state.changes.tables where table.removed ?? 0 > 0 && table.fate != .dropped {
        let rows = table.rows.filter { $0.operation == .delete }.prefix(5).map { $0.cells }
        let count = table.removed ?? rows.count
        story.highlights[last].related.append(
          RelatedRows(
            table: StoryTable(database: 0, name: table.name),
            title:
              "\(table.name): \(counted(count, "row")) that \(count == 1 ? "was" : "were") there before \(count == 1 ? "is" : "are") gone",
            columns: table.columns, rows: Array(rows), count: count))
      }
    }
  }

  // MARK: - Without a trace

  /// Tells differences between states of a test's databases; `nil` without a captured one.
  private func told(_ test: TestResult, _ contents: ReportContents) -> Story? {
    let databases = test.evidence.filter { $0.kind == .database && $0.path != nil }
    guard !databases.isEmpty else { return nil }
    return Story(
      databases.flatMap { states(of: $0, among: databases, test, contents) },
      haveWAL: databases.contains { $0.rawWAL != nil })
  }

  /// The transactions of the raw WAL beside a captured database; `nil` for another database's.
  ///
  /// - Parameter net: True to tell all changes as one.
  private mutating func history(of evidence: TestEvidence, _ test: TestResult, net: Bool) -> WALHistory? {
    guard let path = evidence.path, let pair = evidence.rawWAL, evidence.details.database?.wal != .foreign
    else {
      return nil
    }
    let history = readWALHistory(
      of: folder + "/" + pair.database, wal: folder + "/" + pair.wal, captured: folder + "/" + path,
      since: evidence.baseline.map { folder + "/" + $0 }, net: net, rows: includesRows)
    if let contradiction = history.contradiction {
      remarks.notice(.storyContradicted, "\(test.id): \(contradiction)", input: path)
    }
    return history
  }

  private func states(
    of evidence: TestEvidence, among all: [TestEvidence], _ test: TestResult, _ contents: ReportContents
  ) -> [StoryStates] {
    guard let path = evidence.path else { return [] }
    var states: [StoryStates] = []
    func add(_ source: Story.Source, _ changes: DatabaseChanges) {
      states.append(StoryStates(source, name: evidence.name, path: path, changes))
    }
    func compare(since before: String) -> DatabaseChanges {
      compareDatabases(folder + "/" + path, since: before, rows: includesRows)
    }
    let committed = all.first {
      $0.source == evidence.source && $0.source != nil && $0.details.database?.view == nil
        && $0.run == evidence.run
    }
    if evidence.details.database?.view == .uncommitted, let before = committed?.path {
      add(.uncommittedCopy, compare(since: folder + "/" + before))
    }
    if let changes = contents.changes[path] { add(.baseline, changes) }
    if states.isEmpty, let fixture = fixture(of: evidence, among: all, test) {
      add(.fixture, compare(since: fixture))
    }
    return states
  }

  /// The migration fixture that a database was copied from, read only from inside the package.
  ///
  /// It has the same name, or is the only one of a test with one database.
  private func fixture(of evidence: TestEvidence, among all: [TestEvidence], _ test: TestResult) -> String? {
    let used = given.fixtures[test.id] ?? []
    let named = used.filter { evidence.source?.split(separator: "/").last.map(String.init) == $0.file }
    let meant = named.isEmpty && used.count == 1 && all.count == 1 ? used : named
    guard sourceRoot.mayBeRead, let fixture = meant.last else { return nil }
    let relative = sourceRoot.relative(fixture.folder + "/" + fixture.file)
    guard !relative.hasPrefix("/"),
      case .success(let file) = ContainedFile.open(ContainedPath(folder: sourceRoot.path, path: relative)),
      case .some(.database) = try? file.recognisedKind()
    else { return nil }
    return sourceRoot.path + "/" + relative
  }

  private mutating func read(_ path: String, bytes: Int, of test: TestResult) -> RecordedStory? {
    let file: StoryFile
    if bytes > StoryFile.Limits().bytes {
      file = StoryFile(tooLarge: bytes)
    } else {
      guard let contents = FileManager.default.contents(atPath: folder + "/" + path) else {
        remarks.fault(.storyDamaged, "\(test.id): The story cannot be read.", input: path)
        return nil
      }
      file = StoryFile(contents)
    }
    for problem in file.problems {
      let message = "\(test.id): \(problem.message)"
      if problem.isFault {
        remarks.fault(.storyDamaged, message, input: path)
      } else {
        remarks.notice(.storyDamaged, message, input: path)
      }
    }
    return file.story
  }

  private func schema(of evidence: TestEvidence, _ contents: ReportContents) -> CapturedSchema? {
    guard evidence.kind == .database, let path = evidence.path else { return nil }
    return CapturedSchema(
      contents.databases[path]?.schema ?? .init(), evidence: path, source: evidence.source,
      isUncommitted: evidence.details.database?.uncommitted ?? false)
  }
}
