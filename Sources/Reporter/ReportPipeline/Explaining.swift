package import Collector
import ExhibitSystem
import Foundation
package import ReportExperiments
package import ReportModel
import ReportPlaces
package import ReportReading
import ReportStory
import Synchronization

/// Runs failed tests again with one change at a time, and keeps in the run what they pass with.
package struct Explaining {
  /// As in `reporter report`.
  let inputs: [String]
  let choice: RunChoice
  let sourceRoot: String?
  /// Seconds for all tests.
  let budget: Int
  /// True to run tests with databases outside of temporary folders too.
  package var isAnywhere = false
  package var environment = ProcessInfo.processInfo.environment
  let note: @Sendable (Event) -> Void

  package enum Event: Sendable {
    case reading(TestCaseID)
    case tried(TestCaseID, ExperimentRuns.Progress)
    case ended(ExplainedTest)
    case problem(String)
  }

  package init(
    inputs: [String], choice: RunChoice, sourceRoot: String?, budget: Int,
    note: @escaping @Sendable (Event) -> Void
  ) {
    (self.inputs, self.choice, self.sourceRoot, self.budget) = (inputs, choice, sourceRoot, budget)
    self.note = note
  }

  /// Each test's least time, before others get any.
  private static let leastTime = Duration.seconds(10)

  /// - Parameter chosen: Chooses tests of the run; `nil` for all that failed.
  package func perform(_ chosen: ([TestRecord]) throws -> [TestCaseID]?) throws -> Bool {
    let runs = try Refusal.catching(Refusal.noInput) { try readRuns(inputs, choice: choice) }
    let tests = RunJoin(runs).tests
    let wanted = try chosen(tests)
    let failed = Self.ordered(
      tests.filter { test in test.outcome.isFailure && wanted?.contains(test.id) ?? true })
    if failed.isEmpty { return false }
    guard let run = runs.lazy.compactMap(\.folder).first else {
      throw Refusal.noInput("No run of Attach has these tests.")
    }
    SignalForwarding.prepare()
    let signals = SignalForwarding(to: nil)
    defer { withExtendedLifetime(signals) {} }
    let scratch = try Refusal.catching(Refusal.cannotWrite) { try Self.scratchFolder(environment) }
    defer { remove(scratch) }
    let opened = OpenedDatabases(of: run)
    let passingOthers = ExperimentRuns.PassingOthers()
    let changes = runs.lazy.compactMap(\.packageFolder).first.map(lastChanges) ?? []
    let deadline = ContinuousClock.now + .seconds(budget)
    for (index, test) in failed.enumerated() {
      let left = deadline - .now
      if SignalForwarding.isAskedToEnd || left <= .zero {
        note(.problem("\(counted(failed.count - index, "failed test")) had no time for experiments."))
        break
      }
      let end = ContinuousClock.now + min(left, max(left / (failed.count - index), Self.leastTime))
      let subject = Subject(
        test: test, tests: tests, runs: runs, run: run, opened: opened, passingOthers: passingOthers,
        changes: changes, scratch: scratch, end: end)
      guard let one = explain(subject) else { continue }
      note(.ended(one))
      try keep(one, in: run)
    }
    return true
  }

  // MARK: - One test

  private struct Subject {
    var test: TestRecord
    var tests: [TestRecord]
    var runs: [RunInputs]
    var run: RunFolder
    var opened: OpenedDatabases
    var passingOthers: ExperimentRuns.PassingOthers
    /// Changes of the last commit and since.
    var changes: [ChangedLines]
    var scratch: String
    var end: ContinuousClock.Instant

    func refused(_ reason: String) -> ExplainedTest {
      ExplainedTest(test: test.id, control: .refused(reason))
    }
  }

  private func explain(_ subject: Subject) -> ExplainedTest? {
    let test = subject.test
    note(.reading(test.id))
    let found = Mutex<(ExperimentBasis, [CodeFile])?>(nil)
    var lookup = ReportLookup()
    lookup.sourceRoot = sourceRoot
    lookup.takesBasis = { basis, code in found.withLock { $0 = (basis, code) } }
    do {
      _ = try lookup.contents(of: test.id, in: subject.runs)
    } catch {
      return subject.refused("what it did cannot be read (\(error.sentence)).")
    }
    guard let (basis, code) = found.withLock({ $0 }) else {
      return subject.refused("its steps were not recorded.")
    }
    guard let package = subject.runs.lazy.compactMap(\.packageFolder).first else {
      return subject.refused("its package is not known.")
    }
    do throws(Hindrance) {
      let safety = try safety(of: subject, package: package)
      if !isAnywhere,
        let reason = basis.told.databases.lazy.compactMap(\.path).compactMap(safety.refusal(ofFile:)).first
      {
        throw Hindrance(sentence: reason)
      }
      let harness = TestHarness(
        executable: try Self.executable(among: code, run: subject.run), packageFolder: package,
        environment: environment, scratch: subject.scratch)
      return try experiments(on: subject, basis, harness, safety)
    } catch {
      return subject.refused(error.sentence)
    }
  }

  private func safety(of subject: Subject, package: String) throws(Hindrance) -> ExperimentSafety {
    do throws(SystemError) {
      return try ExperimentSafety(
        packageFolder: package, artifacts: ArtifactsFolder.current.path, scratch: subject.scratch,
        environment: environment)
    } catch {
      throw Hindrance(sentence: "where its databases may lie is not known (\(error)).")
    }
  }

  private func experiments(
    on subject: Subject, _ basis: ExperimentBasis, _ harness: TestHarness, _ safety: ExperimentSafety
  ) throws(Hindrance) -> ExplainedTest? {
    let (test, run) = (subject.test, subject.run)
    guard let framework = test.framework else { throw Hindrance(sentence: "its framework is not known.") }
    var basis = basis
    basis.changes = subject.changes
    let (anywhere, note) = (isAnywhere, note)
    let control = ExperimentControl(
      test: test.id, framework: framework, message: basis.message, harness: harness, deadline: subject.end,
      refusal: { anywhere ? nil : safety.refusal(ofFile: $0) })
    let runs = ExperimentRuns(
      control: control, plan: ExperimentPlan(basis), others: others(of: subject, safety),
      passingOthers: subject.passingOthers,
      explained: run.explained(test.id), deadline: subject.end
    ) { note(.tried(test.id, $0)) }
    do {
      try FileSystem.remove(run.explained(test.id).path)
      return try runs.perform()
    } catch {
      throw Hindrance(sentence: "\(error)")
    }
  }

  /// What changed since the commit before the last, which orders the experiments; may be empty.
  private func lastChanges(of package: String) -> [ChangedLines] {
    do throws(Git.Problem) {
      let git = try GitPackage(folder: package, environment: environment)
      guard let hash = try git.hash(of: "HEAD~1") else { return [] }
      return try git.changes(since: hash, mostNamed: 0).hunks
    } catch {
      return []
    }
  }

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

  private struct Hindrance: Error {
    var sentence: String
  }

  /// The test executable, unless it or what lies beside it has changed.
  private static func executable(among code: [CodeFile], run: RunFolder) throws(Hindrance) -> String {
    let own = code.first { $0.name.hasSuffix(".xctest") || $0.name.hasSuffix("-test-runner") }
    guard let own, let folder = FileSystem.parentFolder(of: own.path) else {
      throw Hindrance(sentence: "which executable ran it was not recorded (EXHIBIT_TRACE_PLACES).")
    }
    // Never starts what somebody sent along with a run.
    guard !own.path.hasPrefix(run.path + "/"), !own.path.hasPrefix(ArtifactsFolder.current.path + "/") else {
      throw Hindrance(sentence: "\(own.name) lies in the artifacts folder.")
    }
    for file in code where file.path.hasPrefix(folder + "/") {
      do {
        if try CodeFile(at: file.path).hasCode(of: file) { continue }
      } catch {
        throw Hindrance(sentence: "\(file.name) cannot be read (\(error)).")
      }
      throw Hindrance(sentence: "\(file.name) was built again since the run; run the tests first.")
    }
    return own.path
  }

  /// Puts one test of each place of failure before the others.
  private static func ordered(_ tests: [TestRecord]) -> [TestRecord] {
    let groups = tests.groups { test -> AnyHashable in
      test.issues.first(where: \.isFailure)?.location.map { AnyHashable($0) } ?? AnyHashable(test.id)
    }
    return groups.compactMap(\.first) + groups.flatMap { $0.dropFirst() }
  }

  // MARK: - Files

  private static func scratchFolder(_ environment: [String: String]) throws -> String {
    let memory = "/dev/shm"
    let least = 256 << 20
    // Some machines have none.
    if let free = FileSystem.freeBytes(at: memory), free >= least, access(memory, W_OK) == 0 {
      return try ScratchFolder.create("\(memory)/exhibit-explain-", in: memory)
    }
    let folder = FileManager.default.temporaryDirectory.path
    return try ScratchFolder.create("\(folder)/exhibit-explain-", in: folder)
  }

  private func remove(_ folder: String) {
    do throws(SystemError) {
      try FileSystem.remove(folder)
    } catch {
      note(.problem("\(folder) is left over from experiments. \(error)"))
    }
  }

  private func keep(_ explained: ExplainedTest, in run: RunFolder) throws {
    try Refusal.catching(Refusal.cannotWrite, "What the experiments found cannot be kept. ") {
      var all: [ExplainedTest] = []
      do throws(ExperimentsFile.ReadingError) {
        all = try ExperimentsFile.read(of: run)
      } catch {
        switch error {
        case .unopened(.missing): break
        // Another version wrote it, or nobody knows who.
        case .format, .unopened: throw error
        case .tooLarge, .damaged: note(.problem("\(error) It is written anew."))
        }
      }
      try ExperimentsFile.write(all.filter { $0.test != explained.test } + [explained], to: run)
    }
  }
}
