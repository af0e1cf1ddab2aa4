package import ExhibitSQLite

/// The contents of `story.jsonl`, unjudged; docs/artifacts-format.md describes the file.
///
/// A value that was not told is `nil`.
package struct RecordedStory: Sendable {
  /// The test whose story it is; `nil` where the first line does not say.
  package var test: TestCaseID?
  /// The number of steps of the test that are known to be missing at the beginning, at least.
  package var missing = 0
  /// The reason why rows are not told, in a sentence; `nil` when they are.
  package var withoutChanges: String?
  /// The reason why steps are not told, in a sentence; `nil` when they are.
  package var withoutSteps: String?
  /// In the order of the file.
  package var databases: [Database] = []
  /// In the order of the file.
  package var steps: [Step] = []
  /// Steps that are missing at the beginning, as far as they are counted, in the order of their first ones.
  package var overwritten: [Overwritten] = []
  package var left: [Left] = []
  package var code: [Code] = []
  package var stacks: [Stack] = []
  package var issues: [Issue] = []
  package var baselines: [Baseline] = []
  package var opened: [Opened] = []
  package var closed: [Closed] = []
  /// True when the test's end was seen.
  package var isWhole = false

  package init() {}

  /// A file that a connection has open under one name of a schema.
  package struct Database: Sendable, Equatable {
    /// The connection's number in its process.
    package var connection = 0
    /// `main`, or the name under which it was attached.
    package var schema = "main"
    /// `nil` in memory.
    package var path: String?
    /// The step behind which it was opened or attached.
    package var after = 0

    package init(connection: Int, schema: String = "main", path: String?, after: Int = 0) {
      (self.connection, self.schema, self.path, self.after) = (connection, schema, path, after)
    }
  }

  /// One row that a step inserted, updated or deleted.
  package struct Change: Sendable, Equatable {
    package var operation = RowOperation.insert
    package var schema = "main"
    package var table = ""
    /// 0 for what the statement itself did, more for what triggers and cascades did.
    package var depth = 0
    /// The rowid, before an update the old one; `nil` where the table has none.
    package var key: Int64?
    /// The rowid after an update that changed it.
    package var newKey: Int64?
    /// The column that was written through a blob handle, whose new value is not told.
    package var blobColumn: Int?
    /// Empty for an insert.
    package var old: [DatabaseValue?] = []
    /// Empty for a delete.
    package var new: [DatabaseValue?] = []

    package init(
      operation: RowOperation, schema: String = "main", table: String, depth: Int = 0, key: Int64? = nil,
      newKey: Int64? = nil, blobColumn: Int? = nil, old: [DatabaseValue?] = [], new: [DatabaseValue?] = []
    ) {
      (self.operation, self.schema, self.table, self.depth) = (operation, schema, table, depth)
      (self.key, self.newKey, self.blobColumn) = (key, newKey, blobColumn)
      (self.old, self.new) = (old, new)
    }
  }

  /// A file whose code is on a stack, as it was when its process ran.
  package struct Code: Sendable, Equatable {
    /// By which stacks name it.
    package var number = 0
    package var path = ""
    /// Bytes, and nanoseconds since 1970 of the last change; 0 where they were not known.
    package var size = 0
    package var changedAt: Int64 = 0
    /// In hexadecimal; `nil` for a file without one.
    package var buildID: String?

    package init(
      number: Int = 0, path: String = "", size: Int = 0, changedAt: Int64 = 0, buildID: String? = nil
    ) {
      (self.number, self.path, self.size, self.changedAt) = (number, path, size, changedAt)
      self.buildID = buildID
    }
  }

  /// The calls that led to steps.
  package struct Stack: Sendable, Equatable {
    /// By which steps name it.
    package var number = 0
    /// Innermost first: the number of a file and the offset in it of what lies behind the call, in turns.
    package var frames: [Int] = []

    package init(number: Int = 0, frames: [Int] = []) {
      (self.number, self.frames) = (number, frames)
    }
  }

  /// Steps of one statement on one stack that are missing.
  package struct Overwritten: Sendable, Equatable {
    package var sql = ""
    package var stack: Int?
    package var connection = 0
    package var steps = 0
    /// Rows that they changed.
    package var rows = 0
    /// Numbers of steps.
    package var first = 0
    package var last = 0

    package init(
      sql: String = "", stack: Int? = nil, connection: Int = 0, steps: Int = 0, rows: Int = 0, first: Int = 0,
      last: Int = 0
    ) {
      (self.sql, self.stack, self.connection) = (sql, stack, connection)
      (self.steps, self.rows, self.first, self.last) = (steps, rows, first, last)
    }
  }

  /// The steps that work of another test made while this one ran, and that are none of this one's.
  package struct Left: Sendable, Equatable {
    /// The test, which had ended.
    package var test: TestCaseID?
    package var steps = 0
    /// The statement of the latest one.
    package var sql = ""

    package init(test: TestCaseID? = nil, steps: Int = 0, sql: String = "") {
      (self.test, self.steps, self.sql) = (test, steps, sql)
    }
  }

  /// An issue of the test, behind a step.
  package struct Issue: Sendable, Equatable {
    package var after = 0
    /// Its place among the issues of the test.
    package var ordinal = 0

    package init(after: Int = 0, ordinal: Int = 0) {
      (self.after, self.ordinal) = (after, ordinal)
    }
  }

  /// The moment from which the test says that it starts.
  package struct Baseline: Sendable, Equatable {
    package var after = 0

    package init(after: Int = 0) {
      self.after = after
    }
  }

  /// A connection of the test, before its first step.
  package struct Opened: Sendable, Equatable {
    package var connection = 0
    package var after = 0
    package var stack: Int?

    package init(connection: Int = 0, after: Int = 0, stack: Int? = nil) {
      (self.connection, self.after, self.stack) = (connection, after, stack)
    }
  }

  package struct Closed: Sendable, Equatable {
    package var connection = 0
    package var after = 0
    package var stack: Int?

    package init(connection: Int = 0, after: Int = 0, stack: Int? = nil) {
      (self.connection, self.after, self.stack) = (connection, after, stack)
    }
  }
}
