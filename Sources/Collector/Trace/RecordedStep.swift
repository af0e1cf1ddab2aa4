package import ExhibitSQLite

// One statement that a test ran: as records of the ring tell its beginning and its end, as `RecordedStory` holds both in
// one, and as a line of `story.jsonl` names its members.

extension RecordedStory {
  /// The owner of a step, as far as it is known.
  package enum Owner: String, Sendable {
    case test
    /// The test's, because its connection is.
    case connection
    /// Nobody knows; it ran while the test did.
    case nobody
  }

  /// A callback that the app has set on a step's connection, and that would be called otherwise if rows were told.
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
  /// A class, as a debug build copies all of a value for each look at one of its properties. Only what makes it of
  /// records or of lines changes it.
  package final class Step: @unchecked Sendable {
    /// Counts the steps of the test from 1; in a ring, those of the process.
    package var number = 0
    /// Seconds since the test's start.
    package var time = 0.0
    package var connection = 0
    package var sql = ""
    /// The stack on which it began; `nil` where that is not known.
    package var stack: Int?
    /// With the values of its parameters in their places; `nil` where rows or the text tell them.
    package var expanded: String?
    package var isReadOnly = false
    /// True when literals, values, results and rows are left out for privacy.
    package var isWithheld = false
    /// The reason why its rows are not told; `nil` when they are, where it changed any.
    package var untold: UntoldRows?
    /// True when it says IF EXISTS or IF NOT EXISTS, and there was nothing to do.
    package var wasIdle = false
    package var owner = Owner.test
    /// True when it began inside of a transaction that somebody opened.
    package var wasInTransaction = false
    /// True when it ended inside of one.
    package var isInTransaction = false
    /// Seconds.
    package var duration: Double?
    /// The number of rows that it returned.
    package var rows: Int?
    /// The number of rows that it changed, as `sqlite3_changes` says; triggers and cascades do not count.
    package var changed: Int?
    /// Changes that were told and for which there was no room.
    package var unkept = 0
    /// True when it had not ended when the story was written.
    package var isRunning = false
    package var error: Failure?
    /// The triggers whose programs ran, in the order in which they first did.
    package var triggers: [String] = []
    /// The names of the result's columns.
    package var columns: [String] = []
    /// The first rows of the result.
    package var results: [[DatabaseValue?]] = []
    /// In the order in which they were told.
    package var changes: [Change] = []

    package init(number: Int = 0, changes: [Change] = []) {
      (self.number, self.changes) = (number, changes)
    }

    /// A copy without results and changes.
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
  /// True when their lines are the same, and their changes.
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
  /// A statement begins.
  package struct Step: Sendable, Equatable {
    package var number: UInt64
    /// The name of its text.
    package var text: UInt64
    /// The name of the stack on which it began; `nil` when that is not known.
    package var stack: UInt64?
    /// The text with its values, where neither rows nor text tell them.
    package var expanded: String?
    package var isReadOnly: Bool
    /// True when it begins outside of a transaction.
    package var hadAutocommit: Bool
    /// True when its values may not be told.
    package var isWithheld: Bool
    /// Which of its test's it is, from 1; `nil` where that is not known.
    package var ordinal: UInt64?
    /// How it ended; `nil` where it runs, or a record of its own says it.
    package var end: End?
  }

  /// A statement is at its end.
  package struct End: Sendable, Equatable {
    package var step: UInt64
    package var nanoseconds: UInt64
    package var rows: UInt64
    /// Rows that it changed itself; `nil` for one that only reads.
    package var changed: UInt64?
    /// Changes that were told, those of triggers among them.
    package var changes: UInt64
    /// Changes that found no room.
    package var unkept: UInt64
    package var hasAutocommit: Bool
    /// The reason why rows that it changed are not told; `nil` when all are.
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
