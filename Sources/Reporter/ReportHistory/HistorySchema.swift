import ExhibitCSQLite
import ExhibitSQLite

/// The tables and views of a history in each of its versions; docs/history.md describes them.
///
/// A version is never changed once it is released: a change is a further one. A migration makes and drops; it alters
/// nothing, since SQLite words what it altered in its own way, which is not the same in each of its versions.
package struct HistorySchema: Sendable {
  /// The `PRAGMA application_id` of a history: `ExhH`.
  package static let applicationID = 0x4578_6848

  /// For each version the statements that lead to it from the one before, or from an empty file.
  package var versions: [[String]]

  package static let current = HistorySchema(versions: [versionOne, versionTwo, versionThree, versionFour])

  /// The newest version, which is written.
  package var version: Int { versions.count }

  /// An entry of `sqlite_schema`: its kind, its name, its table, and its text.
  typealias Entry = [String]

  /// Runs the statements that lead from one version to the newest, and notes that.
  func migrate(_ handle: SQLiteHandle, from version: Int) throws(SQLiteError) {
    for statement in versions.dropFirst(version).joined() { try handle.execute(statement) }
    if version == 0 { try handle.execute("PRAGMA application_id = \(Self.applicationID)") }
    try handle.execute("PRAGMA user_version = \(self.version)")
  }

  /// The entries of a history of one version.
  func entries(ofVersion version: Int) throws(SQLiteError) -> Set<Entry> {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
    let model = try SQLiteConnection(path: ":memory:", flags: flags, image: .linked).handle
    for statement in versions.prefix(version).joined() { try model.execute(statement) }
    return try Self.entries(of: model, most: .max) ?? []
  }

  /// The entries of a database, but for what `ANALYZE` adds; `nil` where there are more than `most`.
  static func entries(of handle: SQLiteHandle, most: Int) throws(SQLiteError) -> Set<Entry>? {
    let sql = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
    guard let rows = try SQLiteStatement(sql, on: handle) else { return [] }
    var entries: Set<Entry> = []
    while try rows.step() {
      let entry = (0..<4).map { rows.text(at: $0) ?? "" }
      if entry[0] == "table", ["sqlite_stat1", "sqlite_stat4"].contains(entry[1]) { continue }
      entries.insert(entry)
      if entries.count > most { return nil }
    }
    return entries
  }
}

/// The SQL condition for a failure.
let isFailure = "outcome IN ('failed', 'crashed', 'unfinished')"

private let versionOne = [
  """
  CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    label TEXT NOT NULL,
    commit_hash TEXT,
    dirty INTEGER,
    branch TEXT,
    address TEXT,
    began REAL NOT NULL,
    ended REAL
  )
  """,
  "CREATE INDEX runs_by_label ON runs (label, began)",
  """
  CREATE TABLE tests (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,
    module TEXT NOT NULL,
    suite TEXT NOT NULL,
    name TEXT NOT NULL,
    argument TEXT
  )
  """,
  """
  CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
  )
  """,
  """
  CREATE TABLE outcomes (
    run INTEGER NOT NULL REFERENCES runs (id),
    test INTEGER NOT NULL REFERENCES tests (id),
    outcome TEXT NOT NULL,
    flaky INTEGER NOT NULL DEFAULT 0,
    duration REAL,
    message INTEGER REFERENCES messages (id),
    PRIMARY KEY (run, test)
  ) WITHOUT ROWID
  """,
  "CREATE INDEX outcomes_by_test ON outcomes (test, run)",
  """
  CREATE TABLE passes (
    id INTEGER PRIMARY KEY,
    test INTEGER NOT NULL REFERENCES tests (id),
    label TEXT NOT NULL,
    run INTEGER NOT NULL REFERENCES runs (id),
    began REAL,
    story BLOB NOT NULL,
    UNIQUE (test, label)
  )
  """,
  """
  CREATE TABLE variations (
    id INTEGER PRIMARY KEY,
    test INTEGER NOT NULL REFERENCES tests (id),
    label TEXT NOT NULL,
    varied TEXT NOT NULL,
    UNIQUE (test, label)
  )
  """,
  """
  CREATE VIEW test_outcomes AS
  SELECT tests.identity, tests.module, tests.suite, tests.name, tests.argument, outcomes.outcome, outcomes.flaky,
    outcomes.duration, messages.text AS message, runs.name AS run, runs.label, runs.commit_hash, runs.dirty,
    runs.branch, runs.address, runs.began
  FROM outcomes JOIN runs ON runs.id = outcomes.run JOIN tests ON tests.id = outcomes.test
    LEFT JOIN messages ON messages.id = outcomes.message
  """,
  """
  CREATE VIEW run_counts AS
  SELECT runs.name, runs.label, runs.commit_hash, runs.dirty, runs.branch, runs.address, runs.began, runs.ended,
    count(outcomes.test) AS tests, total(\(isFailure)) AS failures, total(outcomes.flaky) AS flaky
  FROM runs LEFT JOIN outcomes ON outcomes.run = runs.id GROUP BY runs.id
  """,
  """
  CREATE VIEW flaky_tests AS
  SELECT identity, label, commit_hash, count(*) AS runs, sum(\(isFailure)) AS failures, max(began) AS last
  FROM test_outcomes WHERE dirty = 0 AND commit_hash IS NOT NULL
  GROUP BY identity, label, commit_hash
  HAVING max(flaky) = 1 OR sum(\(isFailure)) > 0 AND sum(outcome = 'passed') > 0
  """,
]

private let versionTwo = [
  """
  CREATE TABLE run_places (
    run INTEGER PRIMARY KEY REFERENCES runs (id),
    places BLOB NOT NULL
  )
  """
]

private let versionThree = [
  """
  CREATE TABLE run_totals (
    run INTEGER PRIMARY KEY REFERENCES runs (id),
    tests INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    flaky INTEGER NOT NULL,
    skipped INTEGER NOT NULL
  )
  """,
  "INSERT INTO run_totals (run, tests, failures, flaky, skipped) \(totals("FROM outcomes GROUP BY run"))",
  """
  CREATE TABLE differences (
    id INTEGER PRIMARY KEY,
    test INTEGER NOT NULL REFERENCES tests (id),
    label TEXT NOT NULL,
    run INTEGER NOT NULL REFERENCES runs (id),
    sentence TEXT NOT NULL,
    UNIQUE (test, label)
  )
  """,
]

private let versionFour = [
  """
  CREATE TABLE recorded_passes (
    id INTEGER PRIMARY KEY,
    test INTEGER NOT NULL REFERENCES tests (id),
    label TEXT NOT NULL,
    run INTEGER NOT NULL REFERENCES runs (id),
    began REAL,
    story BLOB NOT NULL,
    UNIQUE (test, label, run)
  )
  """,
  """
  INSERT INTO recorded_passes (test, label, run, began, story)
  SELECT test, label, run, began, story FROM passes
  """,
  "DROP TABLE passes",
  """
  CREATE TABLE settings (
    name TEXT NOT NULL UNIQUE,
    value TEXT NOT NULL
  )
  """,
]

/// The totals of runs, counted in their outcomes.
func totals(_ source: String) -> String {
  """
  SELECT run, count(*), sum(CASE WHEN \(isFailure) THEN 1 ELSE 0 END), sum(CASE WHEN flaky = 1 THEN 1 ELSE 0 END),
    sum(CASE WHEN outcome = 'skipped' THEN 1 ELSE 0 END) \(source)
  """
}
