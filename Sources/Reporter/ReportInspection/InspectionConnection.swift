import ExhibitCSQLite
package import ExhibitSQLite
import ExhibitSystem

/// A restricted, read-only connection to an untrusted database, without triggers, views and extensions.
///
/// It belongs to one thread.
package final class InspectionConnection {
  private let handle: SQLiteHandle
  private let watch = Watch()
  private static let mostInstructions: Int32 = 25_000
  /// `quick_check` of 10,000 tables needs 420,000 instructions of 24 bytes each.
  private static let mostInstructionsOfAllTables: Int32 = 3_000_000

  /// Opens a file without locking it and without its WAL or journal.
  ///
  /// Settings follow https://www.sqlite.org/security.html, except for expression depth and compound SELECTs, which
  /// ordinary CHECK constraints exceed.
  ///
  /// - Throws: `SQLiteError`.
  package init(path: String, limits: InspectionLimits) throws(SQLiteError) {
    // The limit is process-wide, so it is added to what is in use.
    sqlite3_hard_heap_limit64(sqlite3_memory_used() + 512 * 1024 * 1024)
    handle = try SQLiteConnection(
      path: SQLText.uri(of: path, "mode=ro&immutable=1"), named: path,
      flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
      image: .linked
    ).handle
    try restrict(limits)
    try trustHarmlessSchema()
  }

  deinit {
    // The handler refers to the watch, which may be freed first.
    sqlite3_progress_handler(handle.pointer, 0, nil, nil)
  }

  /// Limits the steps until the next call.
  package func allow(steps: Int) { watch.allow(steps) }

  package var exceeded: Exceeded? { watch.exceeded }

  /// True when time ran out, so the result depends on the machine.
  var isOverdue: Bool { watch.isOverdue }

  /// True when time or steps ran out.
  var isSpent: Bool { watch.isSpent }

  package enum Exceeded: Sendable {
    case steps, time

    package var words: String {
      switch self {
      case .steps: "within the limit of steps"
      case .time: "in time"
      }
    }
  }

  /// A sentence on a failure and its cause, possibly a limit.
  func sentence(_ text: String, _ failure: SQLiteError) -> String {
    exceeded.map { "\(text) \($0.words)." } ?? "\(text): \(failure.message)."
  }

  /// Checks the time limit before a statement or row, since SQLite calls the progress handler only after some steps.
  ///
  /// - Throws: `SQLiteError`.
  func checkTime() throws(SQLiteError) {
    if watch.noteTime() { throw SQLiteError(SQLITE_INTERRUPT, "go on with", path: handle.path) }
  }

  /// Compiles one statement.
  ///
  /// - Parameter guesses: True when the result may depend on an unknown collation of the app, otherwise an error.
  /// - Throws: `SQLiteError`.
  package func prepare(_ sql: String, guesses: Bool = false) throws(SQLiteError) -> InspectionStatement {
    try checkTime()
    guard let statement = try SQLiteStatement(sql, on: handle) else {
      throw SQLiteError(SQLITE_MISUSE, "run \(sql)", path: handle.path)
    }
    return InspectionStatement(statement, on: self, guesses: guesses)
  }

  /// True when texts were compared without the app's collation.
  var hasGuessed: Bool {
    get { watch.hasGuessed.pointee }
    set { watch.hasGuessed.pointee = newValue }
  }

  /// - Throws: `SQLiteError` if the result depends on such a comparison.
  func checkGuess() throws(SQLiteError) {
    guard hasGuessed else { return }
    var error = SQLiteError(SQLITE_ERROR, "compare texts in", path: handle.path)
    error.message = "it hangs on a collation that only the app has"
    throw error
  }
}

extension InspectionConnection {
  /// Compiles one statement over all tables.
  ///
  /// - Throws: `SQLiteError`.
  func prepareForAllTables(_ sql: String, guesses: Bool = false) throws(SQLiteError) -> InspectionStatement {
    sqlite3_limit(handle.pointer, SQLITE_LIMIT_VDBE_OP, Self.mostInstructionsOfAllTables)
    defer { sqlite3_limit(handle.pointer, SQLITE_LIMIT_VDBE_OP, Self.mostInstructions) }
    return try prepare(sql, guesses: guesses)
  }
}

// MARK: - Functions of the app

extension InspectionConnection {
  private static let mostStandIns = 50
  static let mostChecked = 1000

  func lacksFunction(_ name: Substring) -> Bool {
    do {
      _ = try prepare("SELECT \(name)()")
      return false
    } catch {
      return error.message.hasPrefix("no such function")
    }
  }

  /// Runs `quick_check`; unknown functions in the schema return NULL.
  ///
  /// - Parameter take: Gets each line; returns false to stop.
  /// - Throws: `SQLiteError`.
  func quickCheck(_ take: (InspectionStatement) -> Bool) throws(SQLiteError) {
    hasGuessed = false
    var standIns: [String] = []
    // Later statements must not use the stand-ins.
    defer { for name in standIns { _ = standIn(for: name, nil) } }
    while true {
      do throws(SQLiteError) {
        let statement = try prepareForAllTables("PRAGMA quick_check(\(Self.mostChecked))", guesses: true)
        while try statement.step(), take(statement) {}
        return
      } catch {
        guard let name = error.unknownFunction, !standIns.contains(name), standIns.count < Self.mostStandIns,
          standIn(for: name, { context, _, _ in sqlite3_result_null(context) }) == SQLITE_OK
        else { throw error }
        standIns.append(name)
      }
    }
  }

  private func standIn(
    for name: String,
    _ body: (@convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void)?
  ) -> Int32 {
    sqlite3_create_function_v2(
      handle.pointer, name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil, body, nil, nil,
      nil)
  }
}

extension SQLiteError {
  /// The function that SQLite lacks, if that is the error.
  ///
  /// Source: https://sqlite.org/src/file/src/expr.c, `sqlite3ExprCodeTarget`.
  var unknownFunction: String? {
    let (before, behind) = ("unknown function: ", "()")
    guard code == SQLITE_ERROR, message.hasPrefix(before), message.hasSuffix(behind) else { return nil }
    return String(message.dropFirst(before.count).dropLast(behind.count))
  }
}

// MARK: - Restricting

extension InspectionConnection {
  private func restrict(_ limits: InspectionLimits) throws(SQLiteError) {
    let settings = [
      (SQLITE_DBCONFIG_DEFENSIVE, true), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, false), (SQLITE_DBCONFIG_ENABLE_VIEW, false),
      (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false),
    ]
    for (option, isOn) in settings { try handle.configure(option, on: isOn) }
    for (limit, value) in [
      (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_EXPR_DEPTH, 200),
      (SQLITE_LIMIT_VDBE_OP, Self.mostInstructions),
      (SQLITE_LIMIT_TRIGGER_DEPTH, 10), (SQLITE_LIMIT_WORKER_THREADS, 0),
      (SQLITE_LIMIT_LENGTH, limits.valueBytes),
    ] {
      sqlite3_limit(handle.pointer, limit, value)
    }
    sqlite3_progress_handler(
      handle.pointer, Int32(Watch.interval),
      { watch in
        guard let watch else { return 0 }
        return Unmanaged<Watch>.fromOpaque(watch).takeUnretainedValue().isOver() ? 1 : 0
      },
      Unmanaged.passUnretained(watch).toOpaque())
    watch.begin(limits)
    try handle.standInForCollations(noting: watch.hasGuessed)
    for setting in ["cell_size_check = ON", "mmap_size = 0"] {
      try prepare("PRAGMA " + setting).run()
    }
  }
}

// MARK: - Functions of the schema

extension InspectionConnection {
  /// Trusts a schema whose functions `SchemaFunctions` all allows.
  private func trustHarmlessSchema() throws(SQLiteError) {
    do {
      _ = try prepare("SELECT 1 FROM sqlite_schema")
      return
    } catch  where error.message.contains("unsafe use of") {
    } catch {
      return
    }
    try handle.configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, on: try hasHarmlessSchema())
  }

  /// Checks the text of all schema statements.
  ///
  /// - Returns: False when they are unreadable.
  private func hasHarmlessSchema() throws(SQLiteError) -> Bool {
    // A defensive connection would parse them.
    try handle.configure(SQLITE_DBCONFIG_DEFENSIVE, on: false)
    try prepare("PRAGMA writable_schema = ON").run()
    var isHarmless = true
    do {
      let functions = try SchemaFunctions(of: handle)
      // An index need not contain the same texts.
      let statements = try prepare("SELECT sql FROM sqlite_schema NOT INDEXED ORDER BY rowid")
      while isHarmless, try statements.step() {
        isHarmless = statements.utf8(at: 0).map { functions.suffice(for: $0) } ?? true
      }
    } catch {
      isHarmless = false
    }
    try handle.execute("PRAGMA writable_schema = RESET")
    try handle.configure(SQLITE_DBCONFIG_DEFENSIVE, on: true)
    return isHarmless
  }
}

/// Decides when SQLite must stop.
private final class Watch {
  /// Each step may process megabytes.
  static let interval = 50

  private var deadline = ThreadDeadline(seconds: 0)
  private var stepsLeft = 0
  private var totalLeft = 0
  private(set) var exceeded: InspectionConnection.Exceeded?
  private(set) var isOverdue = false
  /// Set by stand-ins for the app's collations.
  let hasGuessed = UnsafeMutablePointer<Bool>.allocate(capacity: 1)

  init() { hasGuessed.initialize(to: false) }

  deinit { hasGuessed.deallocate() }

  var isSpent: Bool { isOverdue || totalLeft < 0 }

  func begin(_ limits: InspectionLimits) {
    deadline = ThreadDeadline(seconds: limits.totalTime)
    totalLeft = limits.totalSteps
    allow(limits.totalSteps)
  }

  func allow(_ steps: Int) {
    stepsLeft = steps
    exceeded = nil
  }

  func noteTime() -> Bool {
    guard deadline.hasPassed else { return false }
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
