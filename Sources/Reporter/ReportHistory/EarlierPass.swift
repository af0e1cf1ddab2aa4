package import Collector
package import ReportModel

/// A pass of a test that a history keeps.
package struct EarlierPass: Sendable {
  /// The number of its run, by which it has its places.
  package var run: Int64
  /// The full hash of the commit of its run.
  package var commit: String?
  /// True when files had changed since, or that is not known.
  package var isDirty: Bool
  /// The label of its machine if it is another one.
  package var label: String?
  /// Seconds since 1970 when its run began, and when the test did.
  package var runBegan: Double
  package var began: Double?
  /// Its story, as gzip packs it.
  package var packed: [UInt8]
  /// The differences between passes of the test.
  package var varied: Set<PassVariation>
}

extension HistoryStore {
  /// The passes of tests: those on machines of a label first, each newest first.
  package func passes(of tests: [TestCaseID], label: String) throws(HistoryError)
    -> [TestCaseID: [EarlierPass]]
  {
    let byIdentity = Dictionary(tests.map { ($0.historyIdentity, $0) }) { first, _ in first }
    return try read { connection in
      let question = { (identities: String) in
        """
        SELECT passes.story, passes.began, runs.began, runs.commit_hash, runs.dirty, runs.id, variations.varied,
          tests.identity, passes.label
        FROM tests JOIN recorded_passes AS passes ON passes.test = tests.id JOIN runs ON runs.id = passes.run
        LEFT JOIN variations ON variations.test = tests.id AND variations.label = passes.label
        WHERE tests.identity IN (\(identities))
        ORDER BY CASE WHEN passes.label = ? THEN 0 ELSE 1 END, runs.began DESC, runs.id DESC
        """
      }
      var found: [TestCaseID: [EarlierPass]] = [:]
      try connection.each(Array(byIdentity.keys), question, [.text(label)]) { rows in
        guard let test = rows.shortText(at: 7).flatMap({ byIdentity[$0] }) else { return }
        let commit = rows.shortText(at: 3).flatMap { $0.isCommitHash ? $0 : nil }
        let other = rows.shortText(at: 8).flatMap { $0 == label ? nil : $0 }
        found[test, default: []].append(
          EarlierPass(
            run: rows.integer(at: 5), commit: commit, isDirty: rows.optionalInteger(at: 4) != 0,
            label: other, runBegan: rows.real(at: 2), began: rows.optionalReal(at: 1),
            packed: rows.blob(at: 0), varied: KeptVariations.read(rows.shortText(at: 6))))
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
