package import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem
package import ReportModel

/// A run that is added to a history, with its tests.
package struct AddedRun: Sendable {
  package var run: HistoryRun
  package var outcomes: [(test: TestCaseID, outcome: PastOutcome)]
  package var passes: [KeptPass] = []
  /// What the stacks of these passes name, as a `places.json`; empty where that is not known.
  package var places: [UInt8] = []
  /// Of tests of which two passes were compared, what is not the same in each; the first ones are kept where they are many.
  package var variations: [TestCaseID: [PassVariation]] = [:]

  package init(run: HistoryRun, tests: [TestResult]) {
    self.run = run
    outcomes = tests.map { ($0.id, PastOutcome($0, in: run)) }
  }
}

/// The story of a test that passed, as a history keeps the last one.
package struct KeptPass: Sendable, Equatable {
  package var test: TestCaseID
  /// Seconds since 1970 when the test began.
  package var began: Double?
  /// The lines of a `story.jsonl`, as gzip packs them; `nil` where it cannot.
  var packed: [UInt8]?

  /// - Parameter story: The lines of a `story.jsonl`.
  package init(test: TestCaseID, began: Double?, story: [UInt8]) {
    (self.test, self.began) = (test, began)
    packed = story.withUnsafeBufferPointer(gzip)
  }
}

extension HistoryFile {
  /// Adds a run, or what is new of one that it has.
  ///
  /// - Returns: Whether anything was new.
  @discardableResult package func add(_ added: AddedRun) throws(HistoryError) -> Bool {
    try write(isMaking: true) { handle in try RunWriting(handle).add(added) ? true : nil } ?? false
  }
}

/// The statements that add a run, each compiled once.
private struct RunWriting {
  let handle: SQLiteHandle
  private let findTest: SQLiteStatement
  private let addTest: SQLiteStatement
  private let findMessage: SQLiteStatement
  private let addMessage: SQLiteStatement
  private let addOutcome: SQLiteStatement

  init(_ handle: SQLiteHandle) throws {
    self.handle = handle
    func compiled(_ sql: String) throws -> SQLiteStatement { try statement(sql, on: handle) }
    findTest = try compiled("SELECT id FROM tests WHERE identity = ?")
    addTest = try compiled(
      "INSERT INTO tests (identity, module, suite, name, argument) VALUES (?, ?, ?, ?, ?) RETURNING id")
    findMessage = try compiled("SELECT id FROM messages WHERE text = ?")
    addMessage = try compiled("INSERT INTO messages (text) VALUES (?) RETURNING id")
    addOutcome = try compiled(
      "INSERT INTO outcomes (run, test, outcome, flaky, duration, message) VALUES (?, ?, ?, ?, ?, ?)")
  }

  /// - Returns: Whether anything was new.
  func add(_ added: AddedRun) throws -> Bool {
    let (run, isNew) = try id(of: added.run)
    if !isNew {
      if try has(added, run) { return false }
      try handle.execute("DELETE FROM outcomes WHERE run = \(run)")
      // Their stacks name what the places of the run were.
      if !added.passes.isEmpty { try handle.execute("DELETE FROM passes WHERE run = \(run)") }
    }
    var seen: Set<Int64> = []
    for (test, outcome) in added.outcomes where test.description.utf8.count <= HistoryFile.mostTextBytes {
      let id = try id(of: test)
      // Two tests of a report can have one identity.
      guard seen.insert(id).inserted else { continue }
      try add(outcome, of: id, in: run)
    }
    for pass in added.passes where pass.test.description.utf8.count <= HistoryFile.mostTextBytes {
      try add(pass, in: run, label: added.run.label)
    }
    if !added.passes.isEmpty { try add(added.places, of: run) }
    for (test, variations) in added.variations where test.description.utf8.count <= HistoryFile.mostTextBytes
    {
      try add(variations, of: test, label: added.run.label)
    }
    return true
  }

  // MARK: - The run

  private func id(of run: HistoryRun) throws -> (id: Int64, isNew: Bool) {
    let known = try statement("SELECT id FROM runs WHERE key = ?", on: handle)
    try known.bind(run.key, at: 1)
    if try known.step() { return (known.integer(at: 0), false) }
    let new = try statement(
      """
      INSERT INTO runs (key, name, label, commit_hash, dirty, branch, address, began, ended)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
      """, on: handle)
    let texts: [String?] = [run.key, run.name, run.label, run.commit]
    for (index, text) in texts.enumerated() {
      try new.bind(text: text, at: Int32(index + 1))
    }
    if let isDirty = run.isDirty { try new.bind(Int64(isDirty ? 1 : 0), at: 5) }
    try new.bind(text: run.branch, at: 6)
    try new.bind(text: run.address, at: 7)
    try new.bind(run.began, at: 8)
    if let ended = run.ended { try new.bind(ended, at: 9) }
    return (try idOfNew(new), true)
  }

  /// Whether the history has all of it already.
  private func has(_ added: AddedRun, _ run: Int64) throws -> Bool {
    guard try hasPasses(of: added) else { return false }
    let rows = try statement(
      """
      SELECT tests.identity, outcomes.outcome, outcomes.flaky, outcomes.duration, messages.text
      FROM outcomes JOIN tests ON tests.id = outcomes.test LEFT JOIN messages ON messages.id = outcomes.message
      WHERE outcomes.run = \(run)
      """, on: handle)
    var known: [String: PastOutcome] = [:]
    while try rows.step() {
      known[rows.text(at: 0) ?? ""] = PastOutcome(
        run: added.run, outcome: Outcome(rawValue: rows.text(at: 1) ?? "") ?? .unfinished,
        isFlaky: rows.integer(at: 2) != 0, duration: rows.optionalReal(at: 3), message: rows.text(at: 4))
    }
    var identities: Set<String> = []
    for (test, outcome) in added.outcomes {
      let identity = test.description
      guard identity.utf8.count <= HistoryFile.mostTextBytes, identities.insert(identity).inserted else {
        continue
      }
      guard known[test.description] == outcome else { return false }
    }
    return identities.count == known.count
  }

  /// Whether each test that has a pass has that or a later one already.
  private func hasPasses(of added: AddedRun) throws -> Bool {
    guard !added.passes.isEmpty else { return true }
    let later = try statement(
      """
      SELECT 1 FROM passes JOIN tests ON tests.id = passes.test JOIN runs ON runs.id = passes.run
      WHERE tests.identity = ? AND passes.label = ? AND runs.began >= ?
      """, on: handle)
    for pass in added.passes {
      later.reset()
      try later.bind(pass.test.description, at: 1)
      try later.bind(added.run.label, at: 2)
      try later.bind(added.run.began, at: 3)
      if try !later.step() { return false }
    }
    return true
  }

  // MARK: - Its tests

  private func id(of test: TestCaseID) throws -> Int64 {
    let identity = test.description
    if let known = try id(identity, by: findTest) { return known }
    addTest.reset()
    let suite = test.suite.joined(separator: "/")
    let texts: [String?] = [identity, test.module, suite, test.name, test.argument?.description]
    for (index, text) in texts.enumerated() { try addTest.bind(text: text, at: Int32(index + 1)) }
    return try idOfNew(addTest)
  }

  private func add(_ outcome: PastOutcome, of test: Int64, in run: Int64) throws {
    addOutcome.reset()
    try addOutcome.bind(run, at: 1)
    try addOutcome.bind(test, at: 2)
    try addOutcome.bind(outcome.outcome.rawValue, at: 3)
    try addOutcome.bind(Int64(outcome.isFlaky ? 1 : 0), at: 4)
    if let duration = outcome.duration {
      try addOutcome.bind(duration, at: 5)
    } else {
      try addOutcome.bindNull(at: 5)
    }
    if let message = outcome.message {
      try addOutcome.bind(try id(ofMessage: message), at: 6)
    } else {
      try addOutcome.bindNull(at: 6)
    }
    _ = try addOutcome.step()
  }

  private func id(ofMessage text: String) throws -> Int64 {
    if let known = try id(text, by: findMessage) { return known }
    addMessage.reset()
    try addMessage.bind(text, at: 1)
    return try idOfNew(addMessage)
  }

  private func id(_ text: String, by statement: SQLiteStatement) throws -> Int64? {
    statement.reset()
    defer { statement.reset() }
    try statement.bind(text, at: 1)
    return try statement.step() ? statement.integer(at: 0) : nil
  }

  /// What `RETURNING id` says; the statement is run to its end, so that it holds nothing.
  private func idOfNew(_ statement: SQLiteStatement) throws -> Int64 {
    guard try statement.step() else { return 0 }
    let id = statement.integer(at: 0)
    while try statement.step() {}
    return id
  }

  // MARK: - Passes

  private func add(_ pass: KeptPass, in run: Int64, label: String) throws {
    guard let story = pass.packed, story.count < Int(HistoryFile.mostValueBytes) else { return }
    let row = try statement(
      """
      INSERT INTO passes (test, label, run, began, story) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (test, label) DO UPDATE SET run = excluded.run, began = excluded.began, story = excluded.story
      WHERE (SELECT began FROM runs WHERE id = passes.run) <= (SELECT began FROM runs WHERE id = excluded.run)
      """, on: handle)
    try row.bind(try id(of: pass.test), at: 1)
    try row.bind(label, at: 2)
    try row.bind(run, at: 3)
    if let began = pass.began { try row.bind(began, at: 4) }
    try story.withUnsafeBytes { try row.bind($0, at: 5) }
    _ = try row.step()
  }

  /// Keeps the places of a run that has passes, and removes those of runs that have none any more.
  private func add(_ places: [UInt8], of run: Int64) throws {
    if !places.isEmpty, let packed = places.withUnsafeBufferPointer(gzip),
      packed.count < Int(HistoryFile.mostValueBytes)
    {
      let row = try statement("INSERT OR REPLACE INTO run_places (run, places) VALUES (?, ?)", on: handle)
      try row.bind(run, at: 1)
      try packed.withUnsafeBytes { try row.bind($0, at: 2) }
      _ = try row.step()
    }
    try handle.execute(HistoryFile.removingPlaces)
  }

  private func add(_ variations: [PassVariation], of test: TestCaseID, label: String) throws {
    // The latest has the greatest number.
    let row = try statement(
      "INSERT OR REPLACE INTO variations (test, label, varied) VALUES (?, ?, ?)", on: handle)
    try row.bind(try id(of: test), at: 1)
    try row.bind(label, at: 2)
    try row.bind(KeptVariations.text(variations), at: 3)
    _ = try row.step()
  }
}

/// A compiled statement; that it has none is a mistake of ours.
func statement(_ sql: String, on handle: SQLiteHandle) throws -> SQLiteStatement {
  guard let statement = try SQLiteStatement(sql, on: handle) else {
    throw SQLiteError(SQLITE_MISUSE, "run \(sql)", path: handle.path)
  }
  return statement
}

extension SQLiteStatement {
  /// Binds a text, or NULL.
  func bind(text: String?, at index: Int32) throws {
    if let text { try bind(text, at: index) } else { try bindNull(at: index) }
  }

  func optionalReal(at column: Int32) -> Double? { type(at: column) == SQLITE_NULL ? nil : real(at: column) }

  func optionalInteger(at column: Int32) -> Int64? {
    type(at: column) == SQLITE_NULL ? nil : integer(at: column)
  }
}
