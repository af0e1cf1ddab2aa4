package import Collector
import ExhibitSQLite

/// The last pass of a test that a history keeps.
package struct EarlierPass: Sendable {
  /// The full hash of the commit of its run, if that had no other changes.
  package var commit: String?
  /// Seconds since 1970 when its run began, and when the test did.
  package var runBegan: Double
  package var began: Double?
  /// Its story, as gzip packs it.
  package var packed: [UInt8]
}

extension HistoryFile {
  /// The last passes of tests on machines of a label.
  package func passes(of tests: [TestCaseID], label: String) throws(HistoryError) -> [TestCaseID: EarlierPass]
  {
    try read { handle in
      let rows = try statement(
        """
        SELECT passes.story, passes.began, runs.began, runs.commit_hash, runs.dirty FROM tests
        JOIN passes ON passes.test = tests.id JOIN runs ON runs.id = passes.run
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
          commit: commit.flatMap { $0.isCommitHash ? $0 : nil }, runBegan: rows.real(at: 2),
          began: rows.optionalReal(at: 1),
          packed: Array(rows.bytes(at: 0)))
        while try rows.step() {}
      }
      return found
    }
  }
}
