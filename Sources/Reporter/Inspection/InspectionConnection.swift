internal import ExhibitCSQLite
import ExhibitSQLite

/// A connection to a database nobody vouches for: read-only, immutable, without triggers, views and extensions.
///
/// It owns its handle and belongs to one thread.
final class InspectionConnection {
  private let handle: OpaquePointer
  private let watch = Watch()

  /// What SQLite said.
  struct Failure: Error, Equatable {
    /// SQLite's extended result code.
    var code: Int32
    var message: String

    /// Whether a limit of ours stopped it.
    var isInterruption: Bool { code & 0xff == SQLITE_INTERRUPT }
  }

  /// Opens the file without locking it and without looking at a WAL or journal beside it.
  ///
  /// The settings are those of https://www.sqlite.org/security.html, but for the limits on expression depth and
  /// compound SELECTs, which apply to the schema as well: an ordinary CHECK constraint exceeds the values given there.
  ///
  /// - Throws: `Failure`.
  init(path: String, limits: InspectionLimits) throws(Failure) {
    // Process-wide and the same for every connection: what a hostile file can make SQLite allocate in all.
    sqlite3_hard_heap_limit64(512 * 1024 * 1024)
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(SQLText.uri(of: path, "mode=ro&immutable=1"), &opened, flags, nil)
    guard let opened else { throw Failure(code: code, message: String(cString: sqlite3_errstr(code))) }
    handle = opened
    // From here on deinit closes the handle: SQLite wants that also after a failed open.
    guard code == SQLITE_OK else { throw failure(code) }
    try restrict(limits)
  }

  deinit {
    // The legacy close refuses while statements are open; v2 frees the handle with its last statement.
    sqlite3_close_v2(handle)
  }

  /// Lets everything until the next call take so many steps at most, then interrupts it.
  func allow(steps: Int) { watch.allow(steps) }

  /// Why it was interrupted, if it was.
  var exceeded: Exceeded? { watch.exceeded }

  /// Whether the time of the whole is over: what was read then differs from machine to machine.
  var isOverdue: Bool { watch.isOverdue }

  enum Exceeded: Sendable {
    case steps, time

    /// The end of a sentence that says what could not be done.
    var words: String {
      switch self {
      case .steps: "within the limit of steps"
      case .time: "in time"
      }
    }
  }

  /// Refuses to begin anything once the time is over: SQLite asks only after some steps, which may each take long.
  ///
  /// - Throws: `Failure`.
  func checkTime() throws(Failure) {
    if watch.noteTime() { throw Failure(code: SQLITE_INTERRUPT, message: "interrupted") }
  }

  /// Compiles one statement.
  ///
  /// - Throws: `Failure`.
  func prepare(_ sql: String) throws(Failure) -> InspectionStatement {
    try checkTime()
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw failure(code) }
    return InspectionStatement(statement, connection: self)
  }

  /// What SQLite says about the call that just returned the code.
  func failure(_ code: Int32) -> Failure {
    Failure(code: code, message: String(cString: sqlite3_errmsg(handle)))
  }
}

// MARK: - Restricting

extension InspectionConnection {
  private func restrict(_ limits: InspectionLimits) throws(Failure) {
    let settings = [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
      (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0),
      (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    ]
    for (option, value) in settings {
      let code = exhibit_db_config(handle, option, Int32(value))
      guard code == SQLITE_OK else { throw failure(code) }
    }
    for (limit, value) in [
      (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_EXPR_DEPTH, 200), (SQLITE_LIMIT_VDBE_OP, 25_000),
      (SQLITE_LIMIT_TRIGGER_DEPTH, 10), (SQLITE_LIMIT_WORKER_THREADS, 0),
      (SQLITE_LIMIT_LENGTH, limits.valueBytes),
    ] {
      sqlite3_limit(handle, limit, value)
    }
    sqlite3_progress_handler(
      handle, Int32(Watch.interval),
      { watch in
        guard let watch else { return 0 }
        return Unmanaged<Watch>.fromOpaque(watch).takeUnretainedValue().isOver() ? 1 : 0
      },
      Unmanaged.passUnretained(watch).toOpaque())
    watch.begin(limits)
    for setting in ["cell_size_check = ON", "mmap_size = 0"] {
      try prepare("PRAGMA " + setting).run()
    }
  }
}

/// When SQLite has to stop; kept alive by the connection, which is closed before it goes.
private final class Watch {
  /// Steps between two looks; each may work on a value of many megabytes.
  static let interval = 50

  private var deadline = ContinuousClock.now
  private var stepsLeft = 0
  private var totalLeft = 0
  private(set) var exceeded: InspectionConnection.Exceeded?
  private(set) var isOverdue = false

  func begin(_ limits: InspectionLimits) {
    deadline = .now + .seconds(limits.totalTime)
    totalLeft = limits.totalSteps
    allow(limits.totalSteps)
  }

  func allow(_ steps: Int) {
    stepsLeft = steps
    exceeded = nil
  }

  /// - Returns: Whether the time is over.
  func noteTime() -> Bool {
    guard ContinuousClock.now >= deadline else { return false }
    isOverdue = true
    exceeded = .time
    return true
  }

  func isOver() -> Bool {
    (stepsLeft, totalLeft) = (stepsLeft - Self.interval, totalLeft - Self.interval)
    if noteTime() { return true }
    guard stepsLeft < 0 || totalLeft < 0 else { return false }
    exceeded = .steps
    return true
  }
}
