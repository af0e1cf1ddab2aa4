import ReportModel

/// The SQL that removes runs and what only they refer to.
enum HistoryPruning {
  static let removingPlaces = "DELETE FROM run_places WHERE run NOT IN (SELECT run FROM recorded_passes)"

  fileprivate static let removingUnnamed = [
    removingPlaces,
    "DELETE FROM variations WHERE NOT EXISTS (SELECT 1 FROM outcomes WHERE outcomes.test = variations.test)",
    "DELETE FROM tests WHERE NOT EXISTS (SELECT 1 FROM outcomes WHERE outcomes.test = tests.id)",
    "DELETE FROM messages WHERE id IN (SELECT id FROM messages EXCEPT SELECT message FROM outcomes)",
  ]
}

extension HistoryStore {
  private static var tablesOfRuns: [String] {
    ["outcomes", "recorded_passes", "run_totals", "differences"].map { $0 + " WHERE run" } + ["runs WHERE id"]
  }

  /// Removes old runs with everything only they refer to; `shrink` then frees the space.
  ///
  /// A server removes them in batches, each in one transaction. Runs from the future are removed too, since they would
  /// stay newest.
  ///
  /// - Parameters:
  ///   - keptRuns: The newest runs of each label to keep at any age; `nil` for no limit.
  ///   - keptDays: The days to keep; `nil` for no limit.
  ///   - now: Seconds since 1970.
  /// - Precondition: A limit is given.
  /// - Returns: The number of removed runs.
  package func prune(keptRuns: Int?, keptDays: Double?, now: Double) throws(HistoryError) -> Int {
    let ahead = HistoryValue.real(now + Report.Run.mostAhead)
    let values = [
      ahead, ahead, .real(keptDays.map { now - $0 * 86_400 } ?? .infinity), .integer(Int64(keptRuns ?? 0)),
      .integer(Int64(mostRunsAtOnce)),
    ]
    var removed = 0
    var isLast = false
    while !isLast {
      let part = try renewed.write(isMaking: false) { connection in
        let going = try connection.all(
          """
          SELECT id FROM (
            SELECT id, began, row_number() OVER (PARTITION BY label, began > ? ORDER BY began DESC, id DESC) AS rank
            FROM runs) AS ranked
          WHERE began > ? OR began < ? AND rank > ? ORDER BY began, id LIMIT ?
          """, values
        ) { $0.integer(at: 0) }
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
