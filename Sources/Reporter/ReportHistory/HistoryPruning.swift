import ExhibitSQLite

/// What is removed from a history.
package struct HistoryPruning: Sendable, Equatable {
  /// The newest runs of each label that stay, whatever their age; `nil` for no limit.
  package var keptRuns: Int?
  /// The days back from `now` within which runs stay; `nil` for no limit.
  package var keptDays: Double?

  /// - Precondition: At least one of them is given, else all stay.
  package init(keptRuns: Int?, keptDays: Double?) {
    (self.keptRuns, self.keptDays) = (keptRuns, keptDays)
  }

  /// The condition of `runs` that go, behind a table `ranked`.
  fileprivate func condition(now: Double) -> String {
    let oldest = keptDays.map { "began < \(now - $0 * 86_400)" }
    let surplus = keptRuns.map { "rank > \($0)" }
    switch (oldest, surplus) {
    case (let oldest?, let surplus?): return "\(oldest) AND \(surplus)"
    case (let only?, nil), (nil, let only?): return only
    case (nil, nil): return "0"
    }
  }
}

extension HistoryFile {
  /// Removes the places of runs of which no pass is kept.
  static let removingPlaces = "DELETE FROM run_places WHERE run NOT IN (SELECT run FROM passes)"

  /// Removes old runs, and the tests, messages and passes that no run names any more.
  ///
  /// - Parameter now: Seconds since 1970.
  /// - Returns: How many runs went.
  package func prune(_ pruning: HistoryPruning, now: Double) throws(HistoryError) -> Int {
    let removed = try write(isMaking: false) { handle in
      try handle.execute(
        """
        CREATE TEMP TABLE going AS
        WITH ranked AS (
          SELECT id, began, row_number() OVER (PARTITION BY label ORDER BY began DESC, id DESC) AS rank FROM runs)
        SELECT id FROM ranked WHERE \(pruning.condition(now: now))
        """)
      let count = try handle.integer("SELECT count(*) FROM temp.going") ?? 0
      guard count > 0 else { return nil as Int? }
      for sql in [
        "DELETE FROM outcomes WHERE run IN (SELECT id FROM temp.going)",
        "DELETE FROM passes WHERE run IN (SELECT id FROM temp.going)", Self.removingPlaces,
        "DELETE FROM runs WHERE id IN (SELECT id FROM temp.going)",
        "DELETE FROM variations WHERE NOT EXISTS (SELECT 1 FROM outcomes WHERE outcomes.test = variations.test)",
        "DELETE FROM tests WHERE NOT EXISTS (SELECT 1 FROM outcomes WHERE outcomes.test = tests.id)",
        "DELETE FROM messages WHERE id NOT IN (SELECT message FROM outcomes WHERE message IS NOT NULL)",
      ] {
        try handle.execute(sql)
      }
      return count
    }
    guard let removed else { return 0 }
    try shrink()
    return removed
  }
}
