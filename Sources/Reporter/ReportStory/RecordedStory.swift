import Collector
package import ExhibitSQLite

/// What `story.jsonl` says, line by line and unjudged; docs/artifacts-format.md describes the file.
///
/// A value that was not told is `nil`.
package struct RecordedStory: Sendable {
  package typealias Value = DatabaseValue

  /// Whose story it is; `nil` where the first line does not say.
  var test: TestCaseID?
  /// How many steps of the test are known to be missing at the beginning, at least.
  var missing = 0
  /// Why rows are not told, in a sentence; `nil` when they are.
  var withoutChanges: String?
  /// Why steps are not told, in a sentence; `nil` when they are.
  var withoutSteps: String?
  /// In the order of the file.
  var databases: [Database] = []
  /// In the order of the file.
  var steps: [Step] = []
  var issues: [Issue] = []
  var baselines: [Baseline] = []
  var closed: [Closed] = []
  /// Whether the test's end was seen.
  var isWhole = false

  /// What a connection has open under one name of a schema.
  struct Database: Sendable, Equatable {
    /// The connection's number in its process.
    var connection: Int
    /// `main`, or the name under which it was attached.
    var schema: String
    /// `nil` in memory.
    var path: String?
    /// The step behind which it was opened or attached.
    var after = 0
  }

  /// Of which test a step is known to be.
  package enum Owner: Sendable, Equatable {
    case test
    /// The test's, because its connection is.
    case connection
    /// Nobody knows; it ran while the test did.
    case nobody
  }

  /// What the app has set on a step's connection, so that its rows are not told.
  package enum UntoldRows: String, Sendable, CaseIterable {
    case updateHook, progressHandler, walHook
    /// A word of a newer version.
    case other
  }

  package struct Failure: Sendable, Equatable {
    /// SQLite's extended result code.
    package var code: Int
    package var message: String
  }

  /// One statement that ran on one connection.
  ///
  /// A class, as a debug build copies all of a value for each look at one of its properties. Only its story's reader
  /// changes it.
  final class Step: @unchecked Sendable {
    /// Counts the steps of the process from 1.
    var number: Int
    /// Seconds since the test's start.
    var time = 0.0
    var connection = 0
    var sql: String
    /// With the values of its parameters in their places.
    var expanded: String?
    var isReadOnly = false
    /// Whether literals, values, results and rows are left out for privacy.
    var isWithheld = false
    /// Why its rows are not told; `nil` when they are, where it changed any.
    var untold: UntoldRows?
    var owner = Owner.test
    /// Whether it began inside of a transaction that somebody opened.
    var wasInTransaction = false
    /// Whether it ended inside of one.
    var isInTransaction = false
    /// Seconds.
    var duration: Double?
    /// How many rows it returned.
    var rows: Int?
    /// How many rows it changed, as `sqlite3_changes` says; triggers and cascades do not count.
    var changed: Int?
    /// Changes that were told and for which there was no room.
    var unkept = 0
    /// Whether it had not ended when the story was written.
    var isRunning = false
    var error: Failure?
    /// The triggers whose programs ran.
    var triggers: [String] = []
    /// The names of the result's columns.
    var columns: [String] = []
    /// The first rows of the result.
    var results: [[Value?]] = []
    /// In the order in which they were told.
    var changes: [Change]

    init(number: Int, sql: String = "", changes: [Change] = []) {
      (self.number, self.sql, self.changes) = (number, sql, changes)
    }
  }

  /// One row that a step inserted, updated or deleted.
  package struct Change: Sendable, Equatable {
    package var operation: RowOperation
    var schema: String
    var table: String
    /// 0 for what the statement itself did, more for what triggers and cascades did.
    package var depth = 0
    /// The rowid, before an update the old one; `nil` where the table has none.
    package var key: Int64?
    /// The rowid after an update that changed it.
    package var newKey: Int64?
    /// The column that was written through a blob handle, whose new value is not told.
    package var blobColumn: Int?
    package var old: [Value?] = []
    package var new: [Value?] = []
  }

  /// An issue of the test, behind a step.
  struct Issue: Sendable, Equatable {
    var after: Int
    /// Its place among the issues of the test.
    var ordinal: Int
  }

  /// The test said that it starts from here.
  struct Baseline: Sendable, Equatable {
    var after: Int
  }

  struct Closed: Sendable, Equatable {
    var connection: Int
    var after: Int
  }
}
