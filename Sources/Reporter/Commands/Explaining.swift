import ArgumentParser
import Collector
import ExhibitSystem
import Foundation
import ReportExperiments
import ReportModel
import ReportPlaces
import ReportReading
import ReportStory
import Synchronization

/// Runs failed tests of a run again with changes, and keeps in the run's folder what they pass with.
struct Explaining {
  /// What is read, as `reporter report` reads it.
  var inputs: [String]
  var choice: RunChoice
  var sourceRoot: String?
  /// Seconds for all tests.
  var budget: Int
  /// True to run tests whose databases lie anywhere.
  var isAnywhere = false
  var environment = ProcessInfo.processInfo.environment

  /// Seconds that are taken where nobody says otherwise.
  static let usualBudget = 60
  private static let budgets = 1...86_400

  /// - Throws: `ValidationError` for seconds that an option may not have.
  static func check(budget: Int?, of option: String) throws {
    guard let budget, !budgets.contains(budget) else { return }
    throw ValidationError("\(option) takes seconds from 1 to \(budgets.upperBound).")
  }
  /// A test has at least this time, before others have any.
  private static let leastTime = Duration.seconds(10)

  /// - Parameter chosen: The tests to explain, out of those of the run; all that failed where it returns `nil`.
  /// - Returns: False where nothing failed.
  /// - Throws: The exit code for a problem, which was printed.
  func perform(_ chosen: ([TestRecord]) throws -> [TestCaseID]?) throws -> Bool {
    let runs = try Reporting.orExit(ReporterExit.noInput) { try readRuns(inputs, choice: choice) }
    let tests = RunJoin(runs).tests
    let wanted = try chosen(tests)
    let failed = Self.ordered(
      tests.filter { test in test.outcome.isFailure && wanted?.contains(test.id) ?? true })
    if failed.isEmpty { return false }
    guard let run = runs.lazy.compactMap(\.folder).first else {
      throw Reporting.refusal("No run of Attach has these tests.", ReporterExit.noInput)
    }
    SignalForwarding.prepare()
    let signals = SignalForwarding(to: nil)
    defer { withExtendedLifetime(signals) {} }
    let scratch = try Reporting.orExit(ReporterExit.cannotWrite) { try Self.scratchFolder(environment) }
    defer { Self.remove(scratch) }
    let opened = OpenedDatabases(of: run)
    let passingOthers = ExperimentRuns.PassingOthers()
    let changes = runs.lazy.compactMap(\.packageFolder).first.map(lastChanges) ?? []
    let deadline = ContinuousClock.now + .seconds(budget)
    for (index, test) in failed.enumerated() {
      let left = deadline - .now
      if SignalForwarding.isAskedToEnd || left <= .zero {
        Reporting.complain("\(counted(failed.count - index, "failed test")) had no time for experiments.")
        break
      }
      let end = ContinuousClock.now + min(left, max(left / (failed.count - index), Self.leastTime))
      let progress = ProgressLine.onStandardError()
      defer { progress?.finish() }
      let subject = Subject(
        test: test, tests: tests, runs: runs, run: run, opened: opened, passingOthers: passingOthers,
        changes: changes, scratch: scratch, end: end)
      guard let one = explain(subject, progress) else { continue }
      progress?.finish()
      Self.tell(one)
      try keep(one, in: run)
    }
    return true
  }

  // MARK: - One test

  /// A test that is explained, and what is around it.
  private struct Subject {
    var test: TestRecord
    var tests: [TestRecord]
    var runs: [RunInputs]
    var run: RunFolder
    /// What the tests of the run opened.
    var opened: OpenedDatabases
    var passingOthers: ExperimentRuns.PassingOthers
    /// What the last commit changed in the package, and what was not committed.
    var changes: [ChangedLines]
    var scratch: String
    var end: ContinuousClock.Instant

    func refused(_ reason: String) -> ExplainedTest {
      ExplainedTest(test: test.id, control: .refused(reason))
    }
  }

  /// - Returns: `nil` where the user has asked to end before anything was known.
  private func explain(_ subject: Subject, _ progress: ProgressLine?) -> ExplainedTest? {
    let test = subject.test
    progress?.say("\(test.id): reading")
    let found = Mutex<(ExperimentBasis, [CodeFile])?>(nil)
    let root = Reporting.sourceRoot(sourceRoot, of: subject.runs)
    do {
      _ = try ReportPipeline.contents(
        of: test.id, in: subject.runs, sourceRoot: root, includesRows: true
      ) {
        $0.takesBasis = { basis, code in found.withLock { $0 = (basis, code) } }
      }
    } catch {
      return subject.refused("what it did cannot be read (\(error)).")
    }
    guard let (basis, code) = found.withLock({ $0 }) else {
      return subject.refused("its steps were not recorded.")
    }
    guard let package = subject.runs.lazy.compactMap(\.packageFolder).first else {
      return subject.refused("its package is not known.")
    }
    do throws(Refusal) {
      let safety = try safety(of: subject, package: package)
      if !isAnywhere,
        let reason = basis.told.databases.lazy.compactMap(\.path).compactMap(safety.refusal(ofFile:)).first
      {
        throw Refusal(sentence: reason)
      }
      let harness = TestHarness(
        executable: try Self.executable(among: code, run: subject.run), packageFolder: package,
        environment: environment, scratch: subject.scratch)
      return try experiments(on: subject, basis, harness, safety, progress)
    } catch {
      return subject.refused(error.sentence)
    }
  }

  private func safety(of subject: Subject, package: String) throws(Refusal) -> ExperimentSafety {
    do throws(SystemError) {
      return try ExperimentSafety(
        packageFolder: package, artifacts: ArtifactsFolder.current.path, scratch: subject.scratch,
        environment: environment)
    } catch {
      throw Refusal(sentence: "where its databases may lie is not known (\(error)).")
    }
  }

  private func experiments(
    on subject: Subject, _ basis: ExperimentBasis, _ harness: TestHarness, _ safety: ExperimentSafety,
    _ progress: ProgressLine?
  ) throws(Refusal) -> ExplainedTest? {
    let (test, run) = (subject.test, subject.run)
    guard let framework = test.framework else { throw Refusal(sentence: "its framework is not known.") }
    var basis = basis
    basis.changes = subject.changes
    let anywhere = isAnywhere
    let control = ExperimentControl(
      test: test.id, framework: framework, message: basis.message, harness: harness, deadline: subject.end,
      refusal: { anywhere ? nil : safety.refusal(ofFile: $0) })
    let runs = ExperimentRuns(
      control: control, plan: ExperimentPlan(basis), others: others(of: subject, safety),
      passingOthers: subject.passingOthers,
      explained: run.explained(test.id), deadline: subject.end
    ) { progressed in
      let found = progressed.found.map { "; \($0) it passes" } ?? ""
      progress?.say("\(test.id): \(progressed.tried) of \(progressed.planned) changes\(found)")
      if let words = progressed.found, progress == nil {
        Reporting.complain("\(test.id): \(words) it passes.")
      }
    }
    do {
      // What an earlier explanation left would be taken for this one's.
      try FileSystem.remove(run.explained(test.id).path)
      return try runs.perform()
    } catch {
      throw Refusal(sentence: "\(error)")
    }
  }

  /// The lines by which the package differs from the commit before its last one; none where that is not known, since they
  /// only say what is tried first.
  private func lastChanges(of package: String) -> [ChangedLines] {
    do throws(Git.Problem) {
      let git = try GitPackage(folder: package, environment: environment)
      guard let hash = try git.hash(of: "HEAD~1") else { return [] }
      return try git.changes(since: hash, mostNamed: 0).hunks
    } catch {
      return []
    }
  }

  /// The tests of its target that passed, but for those that may not run with a change.
  private func others(of subject: Subject, _ safety: ExperimentSafety) -> [TestFramework: [TestCaseID]] {
    let opened = subject.opened
    let unknown = opened.paths[nil] ?? []
    // Nobody knows which test opened these.
    guard isAnywhere || opened.isWhole && unknown.allSatisfy({ safety.refusal(ofFile: $0) == nil }) else {
      return [:]
    }
    let (own, others) = (subject.test.id.function, subject.tests)
    let beside = others.filter { other in
      other.id.module == own.module && other.outcome == .passed && other.id.function != own
        && (isAnywhere || opened.paths(of: other.id).allSatisfy { safety.refusal(ofFile: $0) == nil })
    }
    return Dictionary(grouping: beside.filter { $0.framework != nil }) { $0.framework ?? .xctest }
      .mapValues { $0.map(\.id) }
  }

  private struct Refusal: Error {
    var sentence: String
  }

  /// The test executable that was run, where it and what lies beside it are as they were.
  private static func executable(among code: [CodeFile], run: RunFolder) throws(Refusal) -> String {
    let own = code.first { $0.name.hasSuffix(".xctest") || $0.name.hasSuffix("-test-runner") }
    guard let own, let folder = FileSystem.parentFolder(of: own.path) else {
      throw Refusal(sentence: "which executable ran it was not recorded (EXHIBIT_TRACE_PLACES).")
    }
    // What somebody sent along with a run is not started.
    guard !own.path.hasPrefix(run.path + "/"), !own.path.hasPrefix(ArtifactsFolder.current.path + "/") else {
      throw Refusal(sentence: "\(own.name) lies in the artifacts folder.")
    }
    for file in code where file.path.hasPrefix(folder + "/") {
      do {
        if try CodeFile(at: file.path).hasCode(of: file) { continue }
      } catch {
        throw Refusal(sentence: "\(file.name) cannot be read (\(error)).")
      }
      throw Refusal(sentence: "\(file.name) was built again since the run; run the tests first.")
    }
    return own.path
  }

  /// One of those with the same first place of failure before the others of it.
  private static func ordered(_ tests: [TestRecord]) -> [TestRecord] {
    let groups = tests.groups { test -> AnyHashable in
      test.issues.first(where: \.isFailure)?.location.map { AnyHashable($0) } ?? AnyHashable(test.id)
    }
    return groups.compactMap(\.first) + groups.flatMap { $0.dropFirst() }
  }

  // MARK: - Files

  /// A folder for what the runs write, in memory where there is room.
  private static func scratchFolder(_ environment: [String: String]) throws -> String {
    let memory = "/dev/shm"
    let least = 256 << 20
    // A machine without it has its files on a disk.
    if let free = FileSystem.freeBytes(at: memory), free >= least, access(memory, W_OK) == 0 {
      return try ScratchFolder.create("\(memory)/exhibit-explain-", in: memory)
    }
    let folder = FileManager.default.temporaryDirectory.path
    return try ScratchFolder.create("\(folder)/exhibit-explain-", in: folder)
  }

  private static func remove(_ folder: String) {
    do throws(SystemError) {
      try FileSystem.remove(folder)
    } catch {
      Reporting.complain("\(folder) is left over from experiments. \(error)")
    }
  }

  /// Writes what was found out beside what the run has of other tests.
  private func keep(_ explained: ExplainedTest, in run: RunFolder) throws {
    try Reporting.orExit(ReporterExit.cannotWrite, "What the experiments found cannot be kept. ") {
      var all: [ExplainedTest] = []
      do throws(ExperimentsFile.ReadingError) {
        all = try ExperimentsFile.read(of: run)
      } catch {
        switch error {
        case .unopened(.missing): break
        // Another version's, or nobody knows whose.
        case .newer, .unopened: throw error
        case .tooLarge, .damaged: Reporting.complain("\(error) It is written anew.")
        }
      }
      try ExperimentsFile.write(all.filter { $0.test != explained.test } + [explained], to: run)
    }
  }

  private static func tell(_ test: ExplainedTest) {
    switch test.control {
    case .refused(let reason): Reporting.complain("\(test.test): no experiment was made: \(reason)")
    case .differs(let sentence): Reporting.complain("\(test.test): \(sentence)")
    case .fails:
      let tried = "\(counted(test.tried, "change")) of \(counted(test.statements, "statement"))"
      let seconds = Int(test.seconds.rounded())
      guard let first = test.proven.first else {
        return Reporting.complain("\(test.test): it passes with none of \(tried) (\(seconds) s).")
      }
      Reporting.complain("\(test.test): \(first.words) it passes (\(tried), \(seconds) s).")
    }
  }
}
