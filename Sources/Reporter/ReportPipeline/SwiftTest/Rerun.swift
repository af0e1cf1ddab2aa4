import Collector
import ReportModel
import ReportReading

/// Runs failed tests again in the same run, recording those that pass.
struct Rerun {
  let run: TestRun
  let rounds: Int
  private(set) var losses: [String] = []

  /// Runs them in rounds; a test that passes runs once more to tell what varies.
  ///
  /// - Returns: The cases that never passed.
  mutating func perform(_ failed: FailedTests) -> Set<TestCaseID> {
    var pending = failed.cases
    var confirmed: Set<TestCaseID> = []
    for round in 1...(rounds + 1) {
      let wanted = (round <= rounds ? pending : []).union(confirmed)
      if wanted.isEmpty || SignalForwarding.isAskedToEnd { break }
      let tests = failed.only(wanted)
      let count = tests.functions.count
      let isLast = round > rounds
      run.say(
        "\(counted(count, "test")) \(count == 1 ? "runs" : "run") "
          + (isLast ? "once more, as it passed." : "again, \(round) of \(rounds)."))
      guard perform(tests, round), let passed = passed(in: round) else { break }
      confirmed = pending.intersection(passed)
      pending.subtract(passed)
    }
    return pending
  }

  private mutating func perform(_ tests: FailedTests, _ round: Int) -> Bool {
    for functions in tests.invocations {
      do {
        let outcome = try run.again(
          functions, by: run.arguments, artifacts: run.artifacts.path, round: round
        ).perform()
        losses += outcome.losses
        if case .signalled = outcome.end { return false }
      } catch {
        let loss = "Failed tests could not run again. \(error)"
        run.say(loss)
        losses.append(loss)
        return false
      }
      if SignalForwarding.isAskedToEnd { return false }
    }
    return true
  }

  private func passed(in round: Int) -> Set<TestCaseID>? {
    guard let tests = run.tests(inRound: round) else { return nil }
    return Set(tests.filter { $0.outcome.hasPassed }.map(\.id))
  }
}

extension TestRun {
  /// The tests of one round; `nil` where they cannot be read, which the report explains.
  ///
  /// Captures what dead processes left first, before another round overwrites it.
  func tests(inRound round: Int) -> [TestRecord]? {
    let read: [RunInputs]
    do throws(InputError) {
      read = try readRuns([artifacts.path], choice: .named(run.name))
    } catch {
      return nil
    }
    var wanted = read.filter { $0.round == round }
    // As if the round were a run.
    for index in wanted.indices { wanted[index].run = wanted[index].run ?? Report.Run(name: run.name) }
    return RunJoin(wanted).tests
  }
}
