import ReportModel

/// What is removed from a history: old runs, and those of a clock that was ahead, which would stay the newest.
package struct HistoryPruning: Sendable, Equatable {
  /// The newest runs of each label that stay, whatever their age; `nil` for no limit.
  package var keptRuns: Int?
  /// The days back from `now` within which runs stay; `nil` for no limit.
  package var keptDays: Double?

  /// - Precondition: At least one of them is given, else all stay.
  package init(keptRuns: Int?, keptDays: Double?) {
    (self.keptRuns, self.keptDays) = (keptRuns, keptDays)
  }

  /// Removes the places of runs of which no pass is kept.
  static let removingPlaces = "DELETE FROM run_places WHERE run NOT IN (SELECT run FROM passes)"

  /// What no run names any more goes.
  fileprivate static let removingUnnamed = [
    removingPlaces,
    "DELETE FROM variations WHERE NOT EXISTS (SELECT 1 FROM outcomes WHERE outcomes.test = variations.test)",
    "DELETE FROM tests WHERE NOT EXISTS (SELECT 1 FROM outcomes WHERE outcomes.test = tests.id)",
    "DELETE FROM messages WHERE id IN (SELECT id FROM messages EXCEPT SELECT message FROM outcomes)",
  ]

  /// The runs that go, oldest first, and no more than `most`.
  fileprivate func going(now: Double, most: Int, in connection: any HistoryConnection) throws -> [Int64] {
    let ahead = HistoryValue.real(now + Report.Run.mostAhead)
    return try connection.integers(
      """
      SELECT id FROM (
        SELECT id, began, row_number() OVER (PARTITION BY label, began > ? ORDER BY began DESC, id DESC) AS rank
        FROM runs) AS ranked
      WHERE began > ? OR began < ? AND rank > ? ORDER BY began, id LIMIT ?
      """, ahead, ahead, .real(keptDays.map { now - $0 * 86_400 } ?? .infinity),
      .integer(Int64(keptRuns ?? 0)), .integer(Int64(most)))
  }
}

extension HistoryStore {
  /// The tables with rows of a run, and where they name it; the run itself goes last.
  private static var tablesOfRuns: [String] {
    ["outcomes", "passes", "run_totals", "differences"].map { $0 + " WHERE run" } + ["runs WHERE id"]
  }

  /// Removes runs, and the tests, messages and passes that no run names any more; `shrink` gives their room back.
  ///
  /// On a server it is done in parts, between which others can write; each part is whole.
  ///
  /// - Parameter now: Seconds since 1970.
  /// - Returns: How many runs went.
  package func prune(_ pruning: HistoryPruning, now: Double) throws(HistoryError) -> Int {
    var removed = 0
    var isLast = false
    while !isLast {
      let part = try renewed.write(isMaking: false) { connection in
        let going = try pruning.going(now: now, most: mostRunsAtOnce, in: connection)
        guard !going.isEmpty || removed > 0 else { return nil as Int? }
        for table in Self.tablesOfRuns where !going.isEmpty {
          try connection.execute("DELETE FROM \(table) IN (\(list(Set(going))))")
        }
        if going.count < mostRunsAtOnce {
          for sql in HistoryPruning.removingUnnamed { try connection.execute(sql) }
        }
        return going.count
      }
      guard let part else { return 0 }
      removed += part
      isLast = part < mostRunsAtOnce
    }
    return removed
  }
}
