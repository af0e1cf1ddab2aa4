import Collector

/// The limits of what a history keeps.
package enum HistoryLimits {
  /// The most bytes of all passes with their places, as gzip packs them.
  package static let passBytes = 64 << 20
}

/// The passes that a history keeps of each test and label: the last two, and the last one of other branches.
///
/// What varies from pass to pass shows in two of one commit, and a branch may have other tests.
enum KeptPasses {
  /// The most of a test under one label, and those that are kept whatever their branch is.
  private static let (most, newest) = (4, 2)

  /// Removes older passes of a label.
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

  /// Removes passes until all have room: first those that are not a test's last, then the oldest, of one run the largest.
  ///
  /// - Returns: The number of tests that have no pass any more.
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

/// Says of a history whether it keeps what tests did that passed.
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
  /// True unless somebody said that the history keeps no passes.
  package func keepsPasses() throws(HistoryError) -> Bool {
    try read { try PassSetting.keeps($0) }
  }

  /// Has the history keep passes of runs that are added from now on, or keep none and remove those that it has.
  package func setKeepsPasses(_ keeps: Bool) throws(HistoryError) {
    _ = try write(isMaking: true) { try PassSetting.set(keeps: keeps, $0) }
    // Alone, so that none that was being added meanwhile stays.
    if !keeps { _ = try renewed.write(isMaking: false) { try PassSetting.removePasses($0) } }
  }
}
