package import ExhibitSQLite

/// What `story.jsonl` has (docs/artifacts-format.md); what it leaves out is `nil`.
package struct RecordedStory: Sendable {
  package var test: TestCaseID?
  package var missing = 0
  /// Why rows are missing, in a sentence.
  package var withoutChanges: String?
  /// Why steps are missing, in a sentence.
  package var withoutSteps: String?
  package var databases: [Database] = []
  package var steps: [Step] = []
  /// In the order of their first ones, as far as counted.
  package var overwritten: [Overwritten] = []
  package var left: [Left] = []
  package var code: [Code] = []
  package var stacks: [Stack] = []
  package var issues: [Issue] = []
  package var baselines: [Baseline] = []
  package var opened: [Opened] = []
  package var closed: [Closed] = []
  package var isWhole = false

  package init() {}

  /// A file that a connection has open under a schema name.
  package struct Database: Sendable, Equatable {
    package var connection = 0
    /// `main`, or the name given by `ATTACH`.
    package var schema = "main"
    /// `nil` in memory.
    package var path: String?
    /// The step after which it was opened or attached.
    package var after = 0

    package init(connection: Int, schema: String = "main", path: String?, after: Int = 0) {
      (self.connection, self.schema, self.path, self.after) = (connection, schema, path, after)
    }
  }

  package struct Change: Sendable, Equatable {
    package var operation = RowOperation.insert
    package var schema = "main"
    package var table = ""
    /// 0 for the statement's own change, more for triggers and cascades.
    package var depth = 0
    /// Before an update the old one.
    package var key: Int64?
    /// After an update that changed it.
    package var newKey: Int64?
    /// Written through a blob handle; the new value is missing.
    package var blobColumn: Int?
    package var old: [DatabaseValue?] = []
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

  /// A file with code on a stack, as it was then.
  package struct Code: Sendable, Equatable {
    package var number = 0
    package var path = ""
    package var size = 0
    package var changedAt: Int64 = 0
    package var buildID: String?

    package init(
      number: Int = 0, path: String = "", size: Int = 0, changedAt: Int64 = 0, buildID: String? = nil
    ) {
      (self.number, self.path, self.size, self.changedAt) = (number, path, size, changedAt)
      self.buildID = buildID
    }
  }

  package struct Stack: Sendable, Equatable {
    package var number = 0
    /// Innermost first: a file's number and the return address's offset in it, alternating.
    package var frames: [Int] = []

    package init(number: Int = 0, frames: [Int] = []) {
      (self.number, self.frames) = (number, frames)
    }
  }

  package struct Overwritten: Sendable, Equatable {
    package var sql = ""
    package var stack: Int?
    package var connection = 0
    package var steps = 0
    package var rows = 0
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

  /// Steps by another test's work while this one ran.
  package struct Left: Sendable, Equatable {
    package var test: TestCaseID?
    package var steps = 0
    package var sql = ""

    package init(test: TestCaseID? = nil, steps: Int = 0, sql: String = "") {
      (self.test, self.steps, self.sql) = (test, steps, sql)
    }
  }

  package struct Issue: Sendable, Equatable {
    package var after = 0
    package var ordinal = 0

    package init(after: Int = 0, ordinal: Int = 0) {
      (self.after, self.ordinal) = (after, ordinal)
    }
  }

  package struct Baseline: Sendable, Equatable {
    package var after = 0

    package init(after: Int = 0) {
      self.after = after
    }
  }

  /// A connection that the test opened before its first step.
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
