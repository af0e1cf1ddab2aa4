import Collector
import ExhibitSystem
import Foundation
import ReportExperiments
import ReportModel
import ReportRendering
import Synchronization

/// Makes the experiments on one failing test, and tries their changes on other tests.
package struct ExperimentRuns: Sendable {
  let control: ExperimentControl
  let plan: ExperimentPlan
  /// Passed tests of its target.
  let others: [TestFramework: [TestCaseID]]
  let passingOthers: PassingOthers
  /// Where passes with a change are recorded.
  let explained: RunFolder
  let deadline: ContinuousClock.Instant
  let note: @Sendable (Progress) -> Void

  private var test: TestCaseID { control.test }
  private var harness: TestHarness { control.harness }

  package struct Progress: Sendable {
    package var tried: Int
    package var planned: Int
    /// The change, in words.
    package var found: String?
  }

  private static let mostProven = 3

  func perform() throws(TestHarness.Problem) -> ExplainedTest? {
    let began = ContinuousClock.now
    guard let ground = try control.ground() else { return nil }
    var explained = ExplainedTest(test: test, control: ground.result)
    guard ground.result == .fails else { return explained }
    let tried = Tried(plan)
    try perform(tried, on: ground)
    let unapplied = tried.state.withLock { $0.tried == 0 ? $0.unapplied : 0 }
    if unapplied > 0, !SignalForwarding.isAskedToEnd {
      explained.control = .refused(
        "none of \(counted(unapplied, "change")) came to be. Does it link Attach of this version of reporter?"
      )
      return explained
    }
    var candidates = tried.state.withLock { state in
      (explained.tried, explained.changing) = (state.tried, state.changing)
      (explained.statements, explained.planned) = (state.subjects.count, state.tried + state.queue.left)
      explained.reaching = state.reaching.sorted().compactMap { plan.subjects[$0].step }
      explained.idle = state.subjects.subtracting(state.affecting).count
      return self.candidates(state.passing)
    }
    if !candidates.isEmpty {
      // On a busy machine late runs tell nothing.
      if try control.fails(ground) == .otherwise {
        explained.control = .differs(ExperimentControl.isFlaky)
        return explained
      }
      var confirmed: [Candidate] = []
      for candidate in candidates where try passesStill(candidate, ground) { confirmed.append(candidate) }
      candidates = confirmed
    }
    explained.proven = try told(candidates, ground)
    explained.seconds = (ContinuousClock.now - began).seconds
    return explained
  }

  /// Runs other tests with each change, and records the test with the best.
  private func told(
    _ candidates: [Candidate], _ ground: ExperimentControl.Ground
  ) throws(TestHarness.Problem) -> [ExplainedTest.Proven] {
    var candidates = candidates
    if !candidates.isEmpty, let passing = try othersThatPass() {
      // The number of a run means nothing to other tests.
      for index in candidates.indices where !candidates[index].intervention.isOmission {
        candidates[index].proven.others = try others(passing, with: candidates[index].intervention)
      }
    }
    candidates = candidates.enumerated().sorted { one, other in
      (one.element.doubts, one.element.breaks, one.offset)
        < (other.element.doubts, other.element.breaks, other.offset)
    }.map(\.element)
    if let first = candidates.first, !SignalForwarding.isAskedToEnd {
      // Records what is different when it passes.
      _ = try harness.run(
        [test], of: control.framework, first.intervention, limit: ground.limit, recording: .passes(explained))
    }
    return candidates.map(\.proven)
  }

  // MARK: - Experiments

  private final class Tried: Sendable {
    struct State {
      var queue: ExperimentQueue
      var tried = 0
      var changing = 0
      /// Changes that never came about.
      var unapplied = 0
      var subjects: Set<Int> = []
      /// Those with an effect, and those with another message.
      var affecting: Set<Int> = []
      var reaching: Set<Int> = []
      var passing: [Passing] = []
      var problem: TestHarness.Problem?
    }
    let state: Mutex<State>

    init(_ plan: ExperimentPlan) { state = Mutex(State(queue: ExperimentQueue(plan))) }

    func note(_ next: ExperimentQueue.Next, _ verdict: Verdict, isEmptied: Bool) -> Progress {
      state.withLock { state in
        state.tried += 1
        state.subjects.insert(next.subject)
        switch verdict {
        case .failsAlike: state.queue.note(next, .none)
        case .endsOtherwise: state.queue.note(next, .other)
        case .failsOtherwise(let isNearer): state.queue.note(next, isNearer ? .nearer : .other)
        case .passes: state.queue.note(next, .nearer)
        }
        if verdict != .failsAlike { state.affecting.insert(next.subject) }
        if verdict != .failsAlike, verdict != .endsOtherwise {
          state.changing += 1
          state.reaching.insert(next.subject)
        }
        if verdict == .passes {
          state.passing.append(Passing(next: next, isEmptied: isEmptied))
          state.queue.notePass(next)
        }
        return Progress(
          tried: state.tried, planned: state.tried + state.queue.left,
          found: verdict == .passes ? next.experiment.words : nil)
      }
    }
  }

  private func perform(
    _ tried: Tried, on ground: ExperimentControl.Ground
  ) throws(TestHarness.Problem) {
    let tasks = (0..<ground.atOnce).map { _ -> @Sendable () -> Void in
      {
        while ContinuousClock.now < deadline, !SignalForwarding.isAskedToEnd,
          let next = tried.state.withLock({ $0.problem == nil ? $0.queue.next() : nil })
        {
          do throws(TestHarness.Problem) {
            if ground.sharesFiles, next.experiment.intervention.isAddition {
              tried.state.withLock { $0.queue.noteNothing() }
            } else if let (verdict, counts) = try verdict(of: next.experiment, ground) {
              let isEmptied =
                next.experiment.intervention.isOmission
                || counts.map(plan.subjects[next.subject].isEmptied) ?? false
              note(tried.note(next, verdict, isEmptied: isEmptied))
            } else {
              tried.state.withLock { state in
                state.unapplied += 1
                state.queue.noteNothing()
              }
            }
          } catch {
            tried.state.withLock { $0.problem = $0.problem ?? error }
          }
        }
      }
    }
    ReportRendering.perform(tasks)
    if let problem = tried.state.withLock({ $0.problem }) { throw problem }
  }

  enum Verdict: Equatable {
    case passes, failsAlike, endsOtherwise
    case failsOtherwise(isNearer: Bool)
  }

  /// - Returns: `nil` where it was not applied, or the user asked to end.
  private func verdict(
    of experiment: PlannedExperiment, _ ground: ExperimentControl.Ground
  ) throws(TestHarness.Problem) -> (Verdict, Intervention.Counts?)? {
    var counts: Intervention.Counts?
    for isFirst in [true, false] {
      let ended = try harness.run(
        [test], of: control.framework, experiment.intervention, limit: ground.limit)
      guard !SignalForwarding.isAskedToEnd, Self.isApplied(experiment.intervention, ended) else { return nil }
      counts = ended.counts
      if control.hasPassed(ended) { continue }
      // It passes and fails with the change.
      if !isFirst { return (.endsOtherwise, counts) }
      guard !ended.isLate, let own = ended.tests[test], own.outcome.isFailure else {
        return (.endsOtherwise, counts)
      }
      let message = control.message(of: own)
      if message == ground.message { return (.failsAlike, counts) }
      let isNearer = ComparedNumbers.isNearer(message, than: ground.message)
      return (.failsOtherwise(isNearer: isNearer), counts)
    }
    return (.passes, counts)
  }

  struct Passing {
    let next: ExperimentQueue.Next
    /// True where the statement returned or wrote nothing with it.
    let isEmptied: Bool

    /// The more usual slip comes first, then the smaller change.
    func leads(before other: Passing) -> Bool {
      let (one, two) = (next.experiment, other.next.experiment)
      if isEmptied != other.isEmptied { return other.isEmptied }
      if one.likelihood != two.likelihood { return one.likelihood > two.likelihood }
      return (one.rank, next.number) < (two.rank, other.next.number)
    }
  }

  private static func isApplied(_ intervention: Intervention, _ ended: TestHarness.Ended) -> Bool {
    if case .environment = intervention { return true }
    return ended.counts.map { $0.applied > 0 } == true
  }

  private struct Candidate {
    var proven: ExplainedTest.Proven
    let intervention: Intervention
    let isEmptied: Bool
    let isTestsQuestion: Bool

    /// Other tests that fail with it; many where they did not run.
    var breaks: Int {
      if intervention.isOmission { return 0 }
      return proven.others?.failed.count ?? ExplainedTest.Proven.mostBroken
    }

    /// Breaking many others proves nothing, emptying a statement undoes what led to it, and changing the
    /// test's own question changes no answer of the app.
    var doubts: Int { breaks >= ExplainedTest.Proven.mostBroken ? 2 : isEmptied || isTestsQuestion ? 1 : 0 }
  }

  private func candidates(_ passing: [Passing]) -> [Candidate] {
    let groups = Dictionary(grouping: passing, by: \.next.subject).compactMap { subject, group in
      group.min { $0.leads(before: $1) }.map { (subject: subject, leading: $0, group: group) }
    }.sorted { one, other in
      let isDoubted = { (group: (subject: Int, leading: Passing, group: [Passing])) in
        group.leading.isEmptied || plan.subjects[group.subject].isTestsQuestion
      }
      return (isDoubted(one) ? 1 : 0, -one.leading.next.experiment.likelihood, one.subject)
        < (isDoubted(other) ? 1 : 0, -other.leading.next.experiment.likelihood, other.subject)
    }
    return groups.prefix(Self.mostProven).map { subject, leading, group in
      let found = group.map(\.next)
      let experiment = leading.next.experiment
      var proven = ExplainedTest.Proven(
        words: experiment.words, bare: experiment.bare, operatorName: experiment.operatorName,
        number: found.map(\.number).min() ?? leading.next.number)
      proven.step = experiment.step ?? plan.subjects[subject].step
      if case .statement(let sql, let replacement) = experiment.intervention {
        (proven.sql, proven.replacement) = (sql, replacement)
      }
      proven.more = found.count - 1
      return Candidate(
        proven: proven, intervention: experiment.intervention, isEmptied: leading.isEmptied,
        isTestsQuestion: plan.subjects[subject].isTestsQuestion)
    }
  }

  /// Of many changes, some pass twice by chance.
  private static let confirmations = 2

  private func passesStill(
    _ candidate: Candidate, _ ground: ExperimentControl.Ground
  ) throws(TestHarness.Problem) -> Bool {
    for _ in 0..<Self.confirmations {
      let ended = try harness.run(
        [test], of: control.framework, candidate.intervention, limit: ground.limit)
      if SignalForwarding.isAskedToEnd { break }
      guard Self.isApplied(candidate.intervention, ended), control.hasPassed(ended) else { return false }
    }
    return true
  }

  // MARK: - Others

  /// Those that pass alone and unchanged; `nil` where time ran out.
  private func othersThatPass() throws(TestHarness.Problem) -> [TestFramework: [TestCaseID]]? {
    var passing: [TestFramework: [TestCaseID]] = [:]
    for (framework, tests) in others where !tests.isEmpty {
      if let known = passingOthers.passing(among: tests, of: framework) {
        passing[framework] = known
        continue
      }
      guard let ended = try run(tests, of: framework, nil) else { return nil }
      passing[framework] = tests.filter { ended.tests[$0]?.outcome == .passed }
      passingOthers.note(passing[framework] ?? [], among: tests, of: framework)
    }
    return passing
  }

  /// Remembers which tests pass alone, for all failed tests.
  final class PassingOthers: Sendable {
    private let known = Mutex<[TestFramework: (ran: Set<TestCaseID>, passed: Set<TestCaseID>)]>([:])

    func passing(among tests: [TestCaseID], of framework: TestFramework) -> [TestCaseID]? {
      known.withLock { known in
        guard let own = known[framework], tests.allSatisfy(own.ran.contains) else { return nil }
        return tests.filter(own.passed.contains)
      }
    }

    func note(_ passing: [TestCaseID], among tests: [TestCaseID], of framework: TestFramework) {
      known.withLock { $0[framework] = (Set(tests), Set(passing)) }
    }
  }

  private func others(
    _ passing: [TestFramework: [TestCaseID]], with intervention: Intervention
  ) throws(TestHarness.Problem) -> ExplainedTest.Others? {
    var result = ExplainedTest.Others()
    for (framework, tests) in passing where !tests.isEmpty {
      guard let ended = try run(tests, of: framework, intervention) else { return nil }
      let failed = tests.filter { ended.tests[$0]?.outcome.isFailure == true }
      result.passed += tests.count { ended.tests[$0]?.outcome == .passed }
      result.failed += failed.map(\.description)
      if failed.isEmpty, tests.contains(where: { ended.tests[$0]?.outcome != .passed }) { return nil }
    }
    result.failed.sort()
    return result
  }

  private func run(
    _ tests: [TestCaseID], of framework: TestFramework, _ intervention: Intervention?
  ) throws(TestHarness.Problem) -> TestHarness.Ended? {
    let left = deadline - .now
    guard left > .zero, !SignalForwarding.isAskedToEnd else { return nil }
    do throws(TestHarness.Problem) {
      let ended = try harness.run(tests, of: framework, intervention, limit: left)
      return ended.isLate || SignalForwarding.isAskedToEnd ? nil : ended
    } catch .tooMany {
      return nil
    }
  }
}

extension Duration {
  fileprivate var seconds: Double { Double(self / .milliseconds(1)) / 1000 }
}
