import Collector

extension HistoryStore {
  /// Adds a run or what is new of it; runs from the future are refused, since they would stay newest.
  ///
  /// - Parameter now: Seconds since 1970.
  /// - Returns: `nil` when nothing was new.
  @discardableResult package func add(_ run: KeptRun, now: Double = currentTime()) throws(HistoryError)
    -> AddedRun?
  {
    if run.run.isAhead(of: now) { throw HistoryError(name, .ahead(began: run.run.began)) }
    return try write(isMaking: true) { try RunWriting(connection: $0, kept: run).add() }
  }
}

package struct AddedRun: Sendable, Equatable {
  /// Tests whose last pass exceeded the size limit.
  package var passesWithoutRoom = 0
}

/// Adds a run in one transaction.
///
/// Rows are written in a fixed order to avoid deadlocks between processes.
struct RunWriting {
  let connection: any HistoryConnection
  let kept: KeptRun
  var mostPassBytes = HistoryLimits.passBytes

  func add() throws -> AddedRun? {
    var kept = kept
    if !kept.passes.isEmpty, try !PassSetting.keeps(connection) {
      (kept.passes, kept.places) = ([], [])
      // Passes added while they were switched off.
      try PassSetting.removePasses(connection)
    }
    return try RunWriting(connection: connection, kept: kept, mostPassBytes: mostPassBytes).addAll()
  }

  private func addAll() throws -> AddedRun? {
    let (run, isNew) = try idOfRun()
    let id = HistoryValue.integer(run)
    if !isNew {
      if try hasAll(id) { return nil }
      try connection.execute("DELETE FROM outcomes WHERE run = ?", id)
    }
    let variations = try kept.variations.map { test, varied in
      (test: KeptTest(test), varied: try KeptVariations.text(varied))
    }
    let tests = try connection.ids(
      of: kept.outcomes.map(\.test) + kept.passes.map(\.test) + variations.map(\.test)
        + kept.differences.map(\.test))
    try addOutcomes(tests, in: id)
    try connection.execute("DELETE FROM run_totals WHERE run = ?", id)
    let counted = totals("FROM outcomes WHERE run = ? GROUP BY run")
    try connection.execute("INSERT INTO run_totals (run, tests, failures, flaky, skipped) \(counted)", id)
    let added = try addPasses(tests, in: id, isNew: isNew)
    // The latest has the greatest id.
    try connection.addVariations(
      variations, label: kept.run.label, tests,
      "DO UPDATE SET id = excluded.id, varied = excluded.varied")
    try connection.addDifferences(kept.differences, label: kept.run.label, run: id, tests)
    return added
  }

  // MARK: - The run

  private func idOfRun() throws -> (id: Int64, isNew: Bool) {
    let run = kept.run
    if let known = try connection.idOfRun(run.key) { return (known, false) }
    let new = try connection.integers(
      """
      INSERT INTO runs (key, name, label, commit_hash, dirty, branch, address, began, ended)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id
      """, .text(run.key), .text(run.name), .text(run.label), .init(run.commit), .init(run.isDirty),
      .init(run.branch), .init(run.address), .real(run.began), .init(run.ended))
    if let id = new.first { return (id, true) }
    // Another process has added it.
    guard let known = try connection.idOfRun(run.key) else { throw HistoryConflict() }
    return (known, false)
  }

  /// True when nothing of the run is new.
  private func hasAll(_ run: HistoryValue) throws -> Bool {
    guard try hasPasses() else { return false }
    let known = try KeptRun.outcomes(ofRun: run, in: connection)
    guard known.count == kept.outcomes.count else { return false }
    let byTest = Dictionary(known.map { ($0.test.identity, $0) }) { first, _ in first }
    return kept.outcomes.allSatisfy { outcome in
      var known = byTest[outcome.test.identity]
      // Only identities are compared.
      known?.test = outcome.test
      return known == outcome
    }
  }

  /// True when the history has these or later passes of all tests.
  private func hasPasses() throws -> Bool {
    var later: Set<String> = []
    try connection.each(
      kept.passes.map(\.test.identity),
      {
        """
        SELECT tests.identity FROM recorded_passes AS passes JOIN tests ON tests.id = passes.test
        JOIN runs ON runs.id = passes.run
        WHERE tests.identity IN (\($0)) AND passes.label = ? AND runs.began >= ?
        """
      }, [.text(kept.run.label), .real(kept.run.began)]
    ) { later.insert($0.shortText(at: 0) ?? "") }
    return kept.passes.allSatisfy { later.contains($0.test.identity) }
  }

  // MARK: - Rows

  private func addOutcomes(_ tests: [String: Int64], in run: HistoryValue) throws {
    let texts = Set(kept.outcomes.compactMap(\.message))
    let messages = try connection.ids(ofTexts: Array(texts), "messages", "text") { missing in
      try connection.insert("messages (text)", missing.map { [.text($0)] }, "ON CONFLICT DO NOTHING")
    }
    let rows = inOrder(kept.outcomes, tests, \.test).map { id, outcome -> [HistoryValue] in
      let message = outcome.message.flatMap { messages[$0] }
      return [
        run, .integer(id), .text(outcome.outcome), .init(outcome.isFlaky), .init(outcome.duration),
        message.map { .integer($0) } ?? .null,
      ]
    }
    try connection.insert("outcomes (run, test, outcome, flaky, duration, message)", rows)
  }

  /// Adds passes and their places, then removes older ones.
  private func addPasses(_ tests: [String: Int64], in run: HistoryValue, isNew: Bool) throws -> AddedRun {
    guard !kept.passes.isEmpty else { return AddedRun() }
    // Older passes must be visible.
    try connection.keepPassesFromOthers()
    // They refer to the run's former places.
    if !isNew { try connection.execute("DELETE FROM recorded_passes WHERE run = ?", run) }
    let rows = inOrder(kept.passes, tests, \.test).map { id, pass -> [HistoryValue] in
      [.integer(id), .text(kept.run.label), run, .init(pass.began), .blob(pass.story)]
    }
    try connection.insert(
      "recorded_passes (test, label, run, began, story)", rows,
      "ON CONFLICT (test, label, run) DO UPDATE SET began = excluded.began, story = excluded.story")
    try KeptPasses.removeOlder(label: kept.run.label, connection)
    if !kept.places.isEmpty {
      try connection.execute(
        "INSERT INTO run_places (run, places) VALUES (?, ?) ON CONFLICT (run) DO UPDATE SET places = excluded.places",
        run, .blob(kept.places))
    }
    try connection.execute(HistoryPruning.removingPlaces)
    return AddedRun(
      passesWithoutRoom: try KeptPasses.removeWhatHasNoRoom(connection, within: mostPassBytes))
  }
}

/// Sorts parts by test id, one for each.
func inOrder<Part>(
  _ parts: [Part], _ tests: [String: Int64], _ test: (Part) -> KeptTest
) -> [(key: Int64, value: Part)] {
  let numbered = parts.compactMap { part in tests[test(part).identity].map { ($0, part) } }
  return Dictionary(numbered) { first, _ in first }.sorted { $0.key < $1.key }
}

extension HistoryConnection {
  /// The ids of tests, inserting missing ones.
  func ids(of all: [KeptTest]) throws -> [String: Int64] {
    let tests = Dictionary(all.map { ($0.identity, $0) }) { first, _ in first }
    return try ids(ofTexts: Array(tests.keys), "tests", "identity") { missing in
      let rows = missing.compactMap { tests[$0] }.map { test -> [HistoryValue] in
        [.text(test.identity), .text(test.module), .text(test.suite), .text(test.name), .init(test.argument)]
      }
      try insert("tests (identity, module, suite, name, argument)", rows, "ON CONFLICT DO NOTHING")
    }
  }

  /// The ids of texts in a table, inserting missing ones.
  fileprivate func ids(
    ofTexts texts: [String], _ table: String, _ column: String, adding: ([String]) throws -> Void
  ) throws -> [String: Int64] {
    let ids = try ids(ofTexts: texts, table, column)
    let missing = texts.filter { ids[$0] == nil }.sorted()
    guard !missing.isEmpty else { return ids }
    try adding(missing)
    return try ids.merging(self.ids(ofTexts: missing, table, column)) { $1 }
  }

  func ids(ofTexts texts: [String], _ table: String, _ column: String) throws -> [String: Int64] {
    var ids: [String: Int64] = [:]
    try each(texts, { "SELECT id, \(column) FROM \(table) WHERE \(column) IN (\($0))" }) { rows in
      ids[rows.shortText(at: 1) ?? ""] = rows.integer(at: 0)
    }
    return ids
  }

  func addVariations(
    _ variations: [(test: KeptTest, varied: String)], label: String, _ tests: [String: Int64],
    _ conflict: String
  ) throws {
    let rows = inOrder(variations, tests, \.test).map { id, variation -> [HistoryValue] in
      [.integer(id), .text(label), .text(variation.varied)]
    }
    try insert("variations (test, label, varied)", rows, "ON CONFLICT (test, label) \(conflict)")
  }
}

/// Another process wrote concurrently; retry.
struct HistoryConflict: Error {}
