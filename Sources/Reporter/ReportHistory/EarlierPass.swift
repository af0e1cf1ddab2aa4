package import Collector
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
  /// The differences between passes of the test.
  package var varied: Set<PassVariation>
}

extension HistoryStore {
  /// The last passes of tests on machines of a label.
  package func passes(of tests: [TestCaseID], label: String) throws(HistoryError) -> [TestCaseID: EarlierPass]
  {
    let byIdentity = Dictionary(tests.map { ($0.historyIdentity, $0) }) { first, _ in first }
    return try read { connection in
      let question = { (identities: String) in
        """
        SELECT passes.story, passes.began, runs.began, runs.commit_hash, runs.dirty, runs.id, variations.varied,
          tests.identity
        FROM tests JOIN passes ON passes.test = tests.id JOIN runs ON runs.id = passes.run
        LEFT JOIN variations ON variations.test = tests.id AND variations.label = passes.label
        WHERE tests.identity IN (\(identities)) AND passes.label = ?
        """
      }
      var found: [TestCaseID: EarlierPass] = [:]
      try connection.each(Array(byIdentity.keys), question, [.text(label)]) { rows in
        guard let test = rows.shortText(at: 7).flatMap({ byIdentity[$0] }) else { return }
        let commit = rows.optionalInteger(at: 4) == 0 ? rows.shortText(at: 3) : nil
        found[test] = EarlierPass(
          run: rows.integer(at: 5), commit: commit.flatMap { $0.isCommitHash ? $0 : nil },
          runBegan: rows.real(at: 2), began: rows.optionalReal(at: 1), packed: rows.blob(at: 0),
          varied: KeptVariations.read(rows.shortText(at: 6)))
      }
      return found
    }
  }

  /// The places that the stacks of a run's passes name: a `places.json`, as gzip packs it; `nil` where there are none.
  package func places(ofRun run: Int64) throws(HistoryError) -> [UInt8]? {
    try read { connection in
      let rows = try connection.rows("SELECT places FROM run_places WHERE run = ?", .integer(run))
      return try rows.step() ? rows.blob(at: 0) : nil
    }
  }
}
