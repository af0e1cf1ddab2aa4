import ExhibitCSQLite
import ExhibitSQLite

/// The tables and views of a history; docs/history.md describes them.
enum HistorySchema {
  /// The `PRAGMA application_id` of a history: `ExhH`.
  static let applicationID = 0x4578_6848
  /// The version that is read and written, as `PRAGMA user_version` has it.
  static let version = 4

  /// Type, name, table and SQL of a row in `sqlite_schema`.
  typealias Entry = [String]

  /// Makes a history of an empty database.
  static func make(in handle: SQLiteHandle) throws(SQLiteError) {
    for statement in statements { try handle.execute(statement) }
    try handle.execute("PRAGMA application_id = \(applicationID)")
    try handle.execute("PRAGMA user_version = \(version)")
  }

  /// The entries of a history.
  static func entries() throws(SQLiteError) -> Set<Entry> {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
    let model = try SQLiteConnection(path: ":memory:", flags: flags, image: .linked).handle
    for statement in statements { try model.execute(statement) }
    return try entries(of: model, most: .max) ?? []
  }

  /// A database's schema without the tables of `ANALYZE`; `nil` above `most` entries.
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

  /// The statements that make all tables, indexes and views.
  static let statements = [
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
    CREATE TABLE variations (
      id INTEGER PRIMARY KEY,
      test INTEGER NOT NULL REFERENCES tests (id),
      label TEXT NOT NULL,
      varied TEXT NOT NULL,
      UNIQUE (test, label)
    )
    """,
    """
    CREATE TABLE run_places (
      run INTEGER PRIMARY KEY REFERENCES runs (id),
      places BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE run_totals (
      run INTEGER PRIMARY KEY REFERENCES runs (id),
      tests INTEGER NOT NULL,
      failures INTEGER NOT NULL,
      flaky INTEGER NOT NULL,
      skipped INTEGER NOT NULL
    )
    """,
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
    CREATE TABLE settings (
      name TEXT NOT NULL UNIQUE,
      value TEXT NOT NULL
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
}

let isFailure = "outcome IN ('failed', 'crashed', 'unfinished')"

/// The totals of runs, counted in their outcomes.
func totals(_ source: String) -> String {
  """
  SELECT run, count(*), sum(CASE WHEN \(isFailure) THEN 1 ELSE 0 END), sum(CASE WHEN flaky = 1 THEN 1 ELSE 0 END),
    sum(CASE WHEN outcome = 'skipped' THEN 1 ELSE 0 END) \(source)
  """
}
