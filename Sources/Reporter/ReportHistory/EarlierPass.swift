package import Collector
package import ReportModel

/// A recorded pass of a test in the history.
package struct EarlierPass: Sendable {
  package var run: Int64
  package var commit: String?
  /// True when files had uncommitted changes, or that is unknown.
  package var isDirty: Bool
  /// The label, if another than asked for.
  package var label: String?
  package var runBegan: Double
  package var began: Double?
  /// Its story, gzip-compressed.
  package var packed: [UInt8]
  /// Differences between passes of the test.
  package var varied: Set<PassVariation>
}

extension HistoryStore {
  /// The passes of tests: of the given label first, newest first.
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

  /// The gzip-compressed `places.json` of a run's passes, if any.
  package func places(ofRun run: Int64) throws(HistoryError) -> [UInt8]? {
    try read { connection in
      let rows = try connection.rows("SELECT places FROM run_places WHERE run = ?", .integer(run))
      return try rows.step() ? rows.blob(at: 0) : nil
    }
  }
}
