extension HistoryStore {
  /// Adds the runs of another history that this one does not have, the oldest first, with all that is kept of them.
  ///
  /// Each run is added whole or not at all, so whatever ends this early leaves a history that the next call goes on with.
  ///
  /// - Returns: How many runs were added, and how many were there.
  package func addRuns(of other: any HistoryStore) throws(HistoryError) -> (added: Int, known: Int) {
    let all = try other.renewed.keys()
    let known = Set(try knownKeys())
    var added = 0
    for key in all where !known.contains(key) {
      let read = try other.renewed.read { connection in try KeptRun(key: key, from: connection) }
      // It was removed meanwhile.
      guard let kept = read else { continue }
      let isNew = try renewed.write(isMaking: true) { connection in
        try RunWriting(connection: connection, kept: kept).add() ? true : nil
      }
      if isNew == true { added += 1 }
    }
    try addVariations(of: other)
    return (added, all.count - added)
  }

  private func keys() throws(HistoryError) -> [String] {
    try read { connection in
      let rows = try connection.rows("SELECT key FROM runs ORDER BY began, id")
      var keys: [String] = []
      while try rows.step() { keys.append(rows.shortText(at: 0) ?? "") }
      return keys
    }
  }

  private func knownKeys() throws(HistoryError) -> [String] {
    do throws(HistoryError) {
      return try renewed.keys()
    } catch  where error.isAbsence {
      return []
    }
  }

  /// Adds what varied of tests of which this history does not know it.
  private func addVariations(of other: any HistoryStore) throws(HistoryError) {
    let all = try other.renewed.read { connection in
      let rows = try connection.rows(
        """
        SELECT \(KeptTest.columns), variations.label, variations.varied FROM variations
        JOIN tests ON tests.id = variations.test
        """)
      var all: [String: [(test: KeptTest, varied: String)]] = [:]
      while try rows.step() {
        all[rows.shortText(at: 5) ?? "", default: []].append((KeptTest(rows), rows.shortText(at: 6) ?? ""))
      }
      return all
    }
    for (label, variations) in all {
      _ = try renewed.write(isMaking: true) { connection in
        try connection.addVariations(
          variations, label: label, connection.ids(of: variations.map(\.test)), "DO NOTHING")
      }
    }
  }
}
