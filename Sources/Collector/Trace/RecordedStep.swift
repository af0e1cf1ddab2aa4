package import ExhibitSQLite

// One statement that a test ran: as records of a ring, as `RecordedStory` holds it, and as a line of
// `story.jsonl`.

extension RecordedStory {
  package enum Owner: String, Sendable {
    case test
    /// The test's, because its connection is.
    case connection
    /// It ran while the test did.
    case nobody
  }

  /// A callback of the app's whose calls telling rows would change.
  package enum UntoldRows: String, Sendable, CaseIterable {
    case updateHook, progressHandler
    /// A word of a newer version.
    case other
  }

  package struct Failure: Sendable, Equatable {
    /// SQLite's extended result code.
    package var code: Int
    package var message: String

    package init(code: Int, message: String) {
      (self.code, self.message) = (code, message)
    }
  }

  /// One statement that ran on one connection.
  ///
  /// A class, as a debug build copies a value for each look at a property. Only what makes it of records or
  /// lines changes it.
  package final class Step: @unchecked Sendable {
    /// Counts the steps of the test from 1; in a ring, those of the process.
    package var number = 0
    /// Seconds since the test's start.
    package var time = 0.0
    package var connection = 0
    package var sql = ""
    /// Where it began, if known.
    package var stack: Int?
    /// With its parameters' values; `nil` where rows or the text tell them.
    package var expanded: String?
    package var isReadOnly = false
    /// True when literals, values, results and rows are left out for privacy.
    package var isWithheld = false
    package var untold: UntoldRows?
    /// True when IF EXISTS or IF NOT EXISTS left nothing to do.
    package var wasIdle = false
    package var owner = Owner.test
    /// True when it began inside of a transaction that somebody opened.
    package var wasInTransaction = false
    package var isInTransaction = false
    /// Seconds.
    package var duration: Double?
    /// Rows that it returned.
    package var rows: Int?
    /// As `sqlite3_changes` says, without triggers and cascades.
    package var changed: Int?
    /// Changes that found no room.
    package var unkept = 0
    package var isRunning = false
    package var error: Failure?
    /// Those that ran, in the order in which they first did.
    package var triggers: [String] = []
    package var columns: [String] = []
    package var results: [[DatabaseValue?]] = []
    package var changes: [Change] = []

    package init(number: Int = 0, changes: [Change] = []) {
      (self.number, self.changes) = (number, changes)
    }

    package var withoutRows: Step {
      let step = Step(number: number)
      (step.time, step.connection, step.sql) = (time, connection, sql)
      (step.stack, step.expanded, step.isReadOnly) = (stack, expanded, isReadOnly)
      (step.isWithheld, step.untold, step.wasIdle) = (isWithheld, untold, wasIdle)
      (step.owner, step.wasInTransaction, step.isInTransaction) = (owner, wasInTransaction, isInTransaction)
      (step.duration, step.rows, step.changed) = (duration, rows, changed)
      (step.unkept, step.isRunning, step.error) = (unkept, isRunning, error)
      (step.triggers, step.columns) = (triggers, columns)
      return step
    }
  }
}

extension RecordedStory.Step: Equatable {
  /// True when their lines and changes are the same.
  package static func == (one: RecordedStory.Step, other: RecordedStory.Step) -> Bool {
    one === other || one.line == other.line && one.changes == other.changes
  }

  private var line: [UInt8] {
    var writer = StoryLineWriter()
    writer.write(self)
    return writer.bytes
  }
}

extension RecordedStory.Step: StoryLineContent {
  package static let kind = "step"
  package static var blank: RecordedStory.Step { .init() }

  package func members<Line: StoryLineMembers & ~Copyable>(in line: inout Line) {
    line.number("number", &number)
    line.seconds("time", &time, orElse: 0)
    line.number("connection", &connection, orElse: 0)
    line.text("sql", &sql)
    line.number("stack", &stack)
    line.text("expanded", &expanded)
    line.flag("readOnly", &isReadOnly)
    line.flag("withheld", &isWithheld)
    line.word("untold", &untold, orElse: .other)
    line.flag("idle", &wasIdle)
    // A word of a newer version is no knowledge.
    var other = owner == .test ? nil : owner
    line.word("owner", &other, orElse: .nobody)
    owner = other ?? .test
    line.object("transaction", isThere: true) { line in
      line.truth("before", &wasInTransaction, orElse: false)
      line.truth("after", &isInTransaction, orElse: wasInTransaction)
    }
    line.seconds("duration", &duration)
    line.number("rows", &rows)
    line.number("changed", &changed)
    line.tally("unkept", &unkept)
    line.flag("running", &isRunning)
    line.object("error", isThere: error != nil) { line in
      var code = error.map { Int64($0.code) }
      var message = error?.message
      line.number("code", &code)
      line.text("message", &message)
      error = .init(code: code.map { Int($0) } ?? 1, message: message ?? "")
    }
    line.texts("triggers", &triggers)
    line.texts("columns", &columns)
    line.rows("results", &results)
  }
}

// MARK: - In the ring

extension TraceRecord {
  package struct Step: Sendable, Equatable {
    package var number: UInt64
    package var text: UInt64
    /// The name of the stack on which it began, if known.
    package var stack: UInt64?
    /// The text with its values, where neither rows nor text tell them.
    package var expanded: String?
    package var isReadOnly: Bool
    package var hadAutocommit: Bool
    package var isWithheld: Bool
    /// Its number in its test, from 1, if known.
    package var ordinal: UInt64?
    /// `nil` where it runs, or a record of its own says it.
    package var end: End?
  }

  package struct End: Sendable, Equatable {
    package var step: UInt64
    package var nanoseconds: UInt64
    package var rows: UInt64
    /// Rows that it changed itself; `nil` for one that only reads.
    package var changed: UInt64?
    /// Changes that were told, those of triggers among them.
    package var changes: UInt64
    package var unkept: UInt64
    package var hasAutocommit: Bool
    package var untold: RecordedStory.UntoldRows?
    package var wasIdle = false
  }
}

extension RecordedStory.Step {
  convenience init(
    _ step: TraceRecord.Step, on connection: Int, owner: RecordedStory.Owner, sql: String
  ) {
    self.init(number: Int(clamping: step.number))
    (self.connection, self.owner, self.sql, expanded) = (connection, owner, sql, step.expanded)
    stack = step.stack.map { Int(clamping: $0) }
    (isReadOnly, isWithheld) = (step.isReadOnly, step.isWithheld)
    (wasInTransaction, isInTransaction, isRunning) = (!step.hadAutocommit, !step.hadAutocommit, true)
  }

  func end(_ end: TraceRecord.End) {
    duration = Double(end.nanoseconds) / 1e9
    (rows, changed) = (Int(clamping: end.rows), end.changed.map { Int(clamping: $0) })
    unkept = Int(clamping: end.unkept)
    (untold, wasIdle) = (end.untold, end.wasIdle && error == nil)
    (isInTransaction, isRunning) = (!end.hasAutocommit, false)
  }
}
