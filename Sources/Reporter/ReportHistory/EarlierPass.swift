package import Collector
import ExhibitSQLite
package import ReportModel

/// The last pass of a test that a history keeps.
package struct EarlierPass: Sendable {
  /// The number of its run, by which it has its places.
  package var run: Int64
  /// The full hash of the commit of its run, if that had no other changes.
  package var commit: String?
  /// Seconds since 1970 when its run began, and when the test did.
  package var runBegan: Double
  package var began: Double?
  /// Its story, as gzip packs it.
  package var packed: [UInt8]
  /// What is not the same in each pass of the test.
  package var varied: Set<PassVariation>
}

extension HistoryFile {
  /// The last passes of tests on machines of a label.
  package func passes(of tests: [TestCaseID], label: String) throws(HistoryError) -> [TestCaseID: EarlierPass]
  {
    try read { handle in
      let rows = try statement(
        """
        SELECT passes.story, passes.began, runs.began, runs.commit_hash, runs.dirty, runs.id, variations.varied
        FROM tests JOIN passes ON passes.test = tests.id JOIN runs ON runs.id = passes.run
        LEFT JOIN variations ON variations.test = tests.id AND variations.label = passes.label
        WHERE tests.identity = ? AND passes.label = ?
        """, on: handle)
      var found: [TestCaseID: EarlierPass] = [:]
      for test in tests {
        rows.reset()
        try rows.bind(test.description, at: 1)
        try rows.bind(label, at: 2)
        guard try rows.step() else { continue }
        let commit = rows.optionalInteger(at: 4) == 0 ? rows.shortText(at: 3) : nil
        found[test] = EarlierPass(
          run: rows.integer(at: 5), commit: commit.flatMap { $0.isCommitHash ? $0 : nil },
          runBegan: rows.real(at: 2), began: rows.optionalReal(at: 1), packed: Array(rows.bytes(at: 0)),
          varied: KeptVariations.read(rows.shortText(at: 6)))
        while try rows.step() {}
      }
      return found
    }
  }

  /// The places that the stacks of a run's passes name: a `places.json`, as gzip packs it; `nil` where there are none.
  package func places(ofRun run: Int64) throws(HistoryError) -> [UInt8]? {
    try read { handle in
      let rows = try statement("SELECT places FROM run_places WHERE run = ?", on: handle)
      try rows.bind(run, at: 1)
      return try rows.step() ? Array(rows.bytes(at: 0)) : nil
    }
  }
}
