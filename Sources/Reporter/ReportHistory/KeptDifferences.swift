package import Collector

extension HistoryStore {
  /// Stores how tests of a run differed from their passes, the latest for each test and label.
  ///
  /// - Parameters:
  ///   - sentences: Without values; truncated.
  ///   - run: A run in the history.
  package func add(differences sentences: [TestCaseID: String], of run: HistoryRun) throws(HistoryError) {
    guard !sentences.isEmpty else { return }
    let differences = sentences.map { test, sentence in
      (
        test: KeptTest(test),
        sentence: String(decoding: sentence.utf8.prefix(FoldedMessage.mostBytes), as: UTF8.self)
      )
    }
    _ = try write(isMaking: false) { connection in
      guard let id = try connection.idOfRun(run.key) else { return false }
      let tests = try connection.ids(ofTexts: differences.map(\.test.identity), "tests", "identity")
      try connection.addDifferences(differences, label: run.label, run: .integer(id), tests)
      return true
    }
  }
}

extension HistoryConnection {
  /// Adds differences unless there are later ones.
  func addDifferences(
    _ differences: [(test: KeptTest, sentence: String)], label: String, run: HistoryValue,
    _ tests: [String: Int64]
  ) throws {
    let rows = inOrder(differences, tests, \.test).map { id, difference -> [HistoryValue] in
      [.integer(id), .text(label), run, .text(difference.sentence)]
    }
    try insert(
      "differences (test, label, run, sentence)", rows,
      """
      ON CONFLICT (test, label) DO UPDATE SET run = excluded.run, sentence = excluded.sentence
      WHERE (SELECT began FROM runs WHERE id = differences.run) <= (SELECT began FROM runs WHERE id = excluded.run)
        AND (differences.run <> excluded.run OR differences.sentence <> excluded.sentence)
      """)
  }
}
