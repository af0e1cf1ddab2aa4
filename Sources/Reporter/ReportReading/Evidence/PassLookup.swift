package import Collector
package import ReportModel

/// The passes of tests that the folders of runs have: of another commit, and of the same code.
package struct PassLookup: Sendable {
  /// The most of each origin that are given.
  private static let most = 2

  private var ofCommits: [RecordedPasses] = []
  /// Those of the runs themselves, the newest run first.
  package private(set) var again: [RecordedPasses] = []
  /// The runs, newest first.
  private let runs: [RunFolder]
  /// Notices on files that cannot be read, and on what stood in the way of a comparison.
  package private(set) var remarks = Remarks()

  /// - Parameter runs: The runs of a report, oldest first.
  package init(runs: [RunFolder]) {
    self.runs = runs.reversed()
    for run in runs.reversed() {
      let compared = ComparedRun(of: run)
      compared.tell(&remarks)
      if let commit = compared.commit(&remarks) {
        ofCommits += compared.runs(&remarks).map { RecordedPasses(of: $0, origin: .commit(commit)) }
      }
      again.append(RecordedPasses(of: run, origin: .rerun))
    }
    for passes in ofCommits + again { remarks.append(passes.remarks) }
  }

  /// The most tests beside one, and the most bytes of their passes.
  private static let (mostSiblings, mostBytes) = (8, 1 << 20)

  /// The passes of tests beside one: of other cases of its function first, then of other tests of its suite.
  ///
  /// - Parameter remarks: Gets a notice on each that cannot be read after all.
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

  /// The pass of a test with a change, the newest.
  ///
  /// - Parameter remarks: Gets a notice where it cannot be read after all.
  package func explained(_ test: TestCaseID, _ remarks: inout Remarks) -> [PassedRun] {
    for run in runs {
      let recorded = RecordedPasses(of: run.explained(test), origin: .experiment)
      remarks.append(recorded.remarks)
      if let pass = recorded.passes(of: test, &remarks).first { return [pass] }
    }
    return []
  }

  /// The passes of a test: of commits first, then of the same code, the newest two of each.
  ///
  /// - Parameter remarks: Gets a notice on each that cannot be read after all.
  package func passes(of test: TestCaseID, _ remarks: inout Remarks) -> [PassedRun] {
    [ofCommits, again].flatMap { origin in
      var found: [PassedRun] = []
      for passes in origin where found.count < Self.most { found += passes.passes(of: test, &remarks) }
      return found.prefix(Self.most)
    }
  }
}
