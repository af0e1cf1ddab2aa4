package import Collector
package import ReportModel

/// Finds recorded passes of tests to compare failures with.
package struct PassLookup: Sendable {
  private static let most = 2

  private var ofCommits: [RecordedPasses] = []
  package private(set) var again: [RecordedPasses] = []
  /// How tests ended with the commit that the newest run is compared with, by their names.
  private var compared: (commit: ComparedCommit, outcomes: [String: Outcome])?
  private let runs: [RunFolder]
  package private(set) var remarks = Remarks()

  /// - Parameter runs: Oldest first.
  package init(runs: [RunFolder]) {
    self.runs = runs.reversed()
    for run in runs.reversed() {
      let compared = ComparedRun(of: run)
      let outcomes = compared.outcomes(&remarks)
      if let commit = compared.commit(&remarks) {
        if self.compared == nil { self.compared = (commit, outcomes) }
        ofCommits += compared.runs(&remarks).map { RecordedPasses(of: $0, origin: .commit(commit)) }
      } else if !outcomes.isEmpty, remarks.faults.isEmpty {
        remarks.fault(
          .unreadableInput, "Tests ran with the code of another commit, and which one is not known.",
          input: compared.commitName)
      }
      again.append(RecordedPasses(of: run, origin: .rerun))
    }
    for passes in ofCommits + again { remarks.append(passes.remarks) }
  }

  /// How a test ended with the code of `--compare-with`; `nil` where it did not run there.
  package func compared(_ test: TestCaseID) -> ComparedOutcome? {
    guard let compared, let outcome = compared.outcomes[test.description],
      ![.skipped, .unfinished].contains(outcome)
    else {
      return nil
    }
    return ComparedOutcome(name: compared.commit.name, commit: compared.commit.hash, outcome: outcome)
  }

  private static let (mostSiblings, mostBytes) = (8, 1 << 20)

  /// Passes of other cases of the function first, then of other tests of the suite.
  package func siblings(of test: TestCaseID, _ remarks: inout Remarks) -> [PassedRun] {
    var found: [PassedRun] = []
    for passes in again where found.isEmpty {
      let beside = passes.tests.filter { $0 != test && $0.module == test.module && $0.suite == test.suite }
      let cases = beside.filter { $0.name == test.name }.sorted()
      var room = Self.mostBytes
      for other in cases + beside.subtracting(cases).sorted() where found.count < Self.mostSiblings {
        let size = passes.size(of: other)
        guard size <= room, var pass = passes.passes(of: other, &remarks).first else { continue }
        room -= size
        pass.origin = .sibling(other)
        found.append(pass)
      }
    }
    return found
  }

  package func explained(_ test: TestCaseID, _ remarks: inout Remarks) -> [PassedRun] {
    for run in runs {
      let recorded = RecordedPasses(of: run.explained(test), origin: .experiment)
      remarks.append(recorded.remarks)
      if let pass = recorded.passes(of: test, &remarks).first { return [pass] }
    }
    return []
  }

  /// A test's two newest passes of each origin, other commits first.
  package func passes(of test: TestCaseID, _ remarks: inout Remarks) -> [PassedRun] {
    [ofCommits, again].flatMap { origin in
      var found: [PassedRun] = []
      for passes in origin where found.count < Self.most { found += passes.passes(of: test, &remarks) }
      return found.prefix(Self.most)
    }
  }
}
