import Collector

package enum HistoryLimits {
  /// The most bytes of all passes and their places, compressed.
  package static let passBytes = 64 << 20
}

/// Decides which passes of a test and label to keep: the last two, and the last of other branches.
///
/// Two of one commit show what varies; a branch may have other tests.
enum KeptPasses {
  private static let (most, newest) = (4, 2)

  static func removeOlder(label: String, _ connection: some HistoryConnection) throws {
    try connection.execute(
      """
      DELETE FROM recorded_passes WHERE label = ? AND id NOT IN (
        SELECT id FROM (
          SELECT id, row_number() OVER (PARTITION BY test ORDER BY age) AS place FROM (
            SELECT kept.id AS id, kept.test AS test,
              row_number() OVER (PARTITION BY kept.test ORDER BY runs.began DESC, runs.id DESC) AS age,
              row_number() OVER (PARTITION BY kept.test, coalesce(runs.branch, '')
                ORDER BY runs.began DESC, runs.id DESC) AS age_in_branch
            FROM recorded_passes AS kept JOIN runs ON runs.id = kept.run WHERE kept.label = ?) AS aged
          WHERE age <= \(newest) OR age_in_branch = 1) AS ranked
        WHERE place <= \(most))
      """, .text(label), .text(label))
  }

  /// Removes passes above a size limit: older ones of a test first, then the oldest runs', the largest first.
  ///
  /// - Returns: The number of tests left without a pass.
  static func removeWhatHasNoRoom(_ connection: some HistoryConnection, within limit: Int) throws -> Int {
    let places = try connection.integers("SELECT coalesce(sum(length(places)), 0) FROM run_places").first ?? 0
    let stories = try connection.integers("SELECT coalesce(sum(length(story)), 0) FROM recorded_passes")
    var rest = places + (stories.first ?? 0) - Int64(limit)
    guard rest > 0 else { return 0 }
    let passes = try connection.all(
      """
      SELECT id, size, age FROM (
        SELECT kept.id AS id, length(kept.story) AS size, runs.began AS began,
          row_number() OVER (PARTITION BY kept.test, kept.label ORDER BY runs.began DESC, runs.id DESC) AS age
        FROM recorded_passes AS kept JOIN runs ON runs.id = kept.run) AS ranked
      ORDER BY CASE WHEN age > 1 THEN 0 ELSE 1 END, began, size DESC, id
      """
    ) { (id: $0.integer(at: 0), size: $0.integer(at: 1), isLast: $0.integer(at: 2) == 1) }
    var (going, tests): ([Int64], Int) = ([], 0)
    for pass in passes where rest > 0 {
      going.append(pass.id)
      rest -= pass.size
      if pass.isLast { tests += 1 }
    }
    for start in stride(from: 0, to: going.count, by: HistoryBatch.most) {
      let part = Set(going[start..<min(start + HistoryBatch.most, going.count)])
      try connection.execute("DELETE FROM recorded_passes WHERE id IN (\(list(part)))")
    }
    try connection.execute(HistoryPruning.removingPlaces)
    return tests
  }
}

// MARK: - Whether there are any

/// The setting whether passes are kept.
enum PassSetting {
  private static let (name, off) = ("passes", "off")

  static func keeps(_ connection: some HistoryConnection) throws -> Bool {
    let values = try connection.all("SELECT value FROM settings WHERE name = ?", [.text(name)]) {
      $0.shortText(at: 0)
    }
    return values.first != off
  }

  static func set(keeps: Bool, _ connection: some HistoryConnection) throws {
    try connection.execute("DELETE FROM settings WHERE name = ?", .text(name))
    guard !keeps else { return }
    try connection.insert("settings (name, value)", [[.text(name), .text(off)]], "ON CONFLICT DO NOTHING")
    try removePasses(connection)
  }

  static func removePasses(_ connection: some HistoryConnection) throws {
    try connection.execute("DELETE FROM recorded_passes")
    try connection.execute(HistoryPruning.removingPlaces)
  }
}

extension HistoryStore {
  /// True unless passes were switched off.
  package func keepsPasses() throws(HistoryError) -> Bool {
    try read { try PassSetting.keeps($0) }
  }

  /// Switches passes on or off; off removes those in the history.
  package func setKeepsPasses(_ keeps: Bool) throws(HistoryError) {
    _ = try write(isMaking: true) { try PassSetting.set(keeps: keeps, $0) }
    // In its own transaction, so that passes added meanwhile go too.
    if !keeps { _ = try renewed.write(isMaking: false) { try PassSetting.removePasses($0) } }
  }
}
