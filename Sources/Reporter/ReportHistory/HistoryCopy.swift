import Collector

/// Numbers of runs copied from another history.
package struct CopiedRuns: Sendable, Equatable {
  package var added = 0
  package var known = 0
  /// Runs left out because their machine's clock was ahead.
  package var ahead = 0
}

extension HistoryStore {
  /// Copies missing runs from another history, oldest first.
  ///
  /// Each run is copied in one transaction, so an interrupted copy can be continued.
  ///
  /// - Parameter now: Seconds since 1970.
  package func addRuns(of other: any HistoryStore, now: Double = currentTime()) throws(HistoryError)
    -> CopiedRuns
  {
    let known = Set(try knownKeys())
    var copied = CopiedRuns()
    for key in try other.renewed.keys() {
      if known.contains(key) {
        copied.known += 1
        continue
      }
      let read = try other.renewed.read { connection in try KeptRun(key: key, from: connection) }
      // It was removed meanwhile.
      guard let kept = read else { continue }
      if kept.run.isAhead(of: now) {
        copied.ahead += 1
        continue
      }
      let isNew = try renewed.write(isMaking: true) { connection in
        try RunWriting(connection: connection, kept: kept).add()
      }
      if isNew != nil { copied.added += 1 } else { copied.known += 1 }
    }
    try addVariations(of: other)
    return copied
  }

  private func knownKeys() throws(HistoryError) -> [String] {
    do throws(HistoryError) {
      return try renewed.keys()
    } catch  where error.isAbsence {
      return []
    } catch  where error.problem == .interrupted {
      // Opening for writing rolls back a dead process's journal.
      _ = try renewed.write(isMaking: false) { _ in nil as Void? }
      return try renewed.keys()
    }
  }

  /// Adds what varied of tests of which this history does not know it.
  private func addVariations(of other: any HistoryStore) throws(HistoryError) {
    let all = try other.renewed.read { connection in
      try connection.all(
        """
        SELECT \(KeptTest.columns), variations.label, variations.varied FROM variations
        JOIN tests ON tests.id = variations.test
        """
      ) { (label: $0.shortText(at: 5) ?? "", test: KeptTest($0), varied: $0.shortText(at: 6) ?? "") }
    }
    for (label, all) in Dictionary(grouping: all, by: \.label) {
      let variations = all.map { (test: $0.test, varied: $0.varied) }
      _ = try renewed.write(isMaking: true) { connection in
        try connection.addVariations(
          variations, label: label, connection.ids(of: variations.map(\.test)), "DO NOTHING")
      }
    }
  }
}

extension HistoryStore {
  /// The keys of all runs, oldest first; those of many shards are long.
  fileprivate func keys() throws(HistoryError) -> [String] {
    try read { connection in
      try connection.all("SELECT key FROM runs ORDER BY began, id") { rows in
        rows.text(at: 0, limit: Int(HistoryFile.mostValueBytes)) ?? ""
      }
    }
  }
}
