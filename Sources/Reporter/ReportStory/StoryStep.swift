package import Collector
package import ExhibitSQLite
package import ReportPlaces

/// One statement of a story.
package struct StoryStep: Sendable, Equatable {
  /// Counts the steps of the test from 1; in recordings before format 1.3 those of the process.
  package var number: Int
  /// Seconds since the test's start.
  package var time = 0.0
  package var connection = 0
  /// Index in the story's databases of what the statement is about.
  package var database: Int
  package var sql = ""
  /// With the values of its parameters in their places.
  package var expanded: String?
  package var isReadOnly = false
  /// True when literals, values, results and rows are left out for privacy.
  package var isWithheld = false
  /// The reason why rows that it changed are not told; `nil` when they are, or it changed none.
  package var untold: RecordedStory.UntoldRows?
  /// The owner of the step, as far as it is known.
  package var owner = RecordedStory.Owner.test
  /// Seconds.
  package var duration: Double?
  /// The number of rows it returned; `nil` where that is not known.
  package var rows: Int?
  /// The number of rows it changed, without those of triggers and cascades.
  package var changed: Int?
  /// Changes for which there was no room.
  package var unkept = 0
  /// True when it had not ended as the story was written: a process that died, died in it.
  package var isRunning = false
  package var error: RecordedStory.Failure?
  /// The reason why its changes do not stand; `nil` when they do, or it made none.
  package var undone: Undone?
  package var triggers: [String] = []
  /// The names of the result's columns.
  package var columns: [String] = []
  /// The first rows of the result.
  package var results: [[Story.Value?]] = []
  /// The changes of the statement itself, by table.
  package var changes: [StoryTableChanges] = []
  /// The changes of triggers and cascades, by table.
  package var consequences: [StoryTableChanges] = []
  package var marks: [StoryMark] = []
  /// The package's own functions that led to it; `nil` where no place is known.
  package var stack: CallStack?
  /// Where its connection was opened, as far as that is known, for a step without a place of its own: an event loop runs it.
  package var opener: Place?
  /// True when a library uses it to look up facts about a database, and nothing went wrong.
  var isHousekeeping = false
  /// The WAL transaction in the place of a statement; among recorded steps the step's number is then negative.
  package var commit: StoryCommit?

  /// The statement with its values, as far as they are known; of a transaction of a WAL what it changed.
  package var statement: String { commit?.text ?? expanded ?? sql }

  package enum Undone: Sendable, Equatable {
    /// It failed.
    case failed
    /// Its transaction was rolled back.
    case rolledBack
    /// The transaction was rolled back to this savepoint.
    case rolledBackTo(String)
  }
}

/// The changes of one step in one table.
package struct StoryTableChanges: Sendable, Equatable {
  package var table: StoryTable
  /// The columns' names; `column 1` and so on where no schema tells them.
  package var columns: [String]
  /// The first ones, in the order in which they were made.
  package var changes: [RecordedStory.Change]
  /// The number of further changes.
  package var omitted = 0
  /// The numbers of changes in the tables that hold a virtual table's data, by table name.
  package var shadows: [String: Int] = [:]

  package func count(_ operation: RowOperation) -> Int {
    changes.count { $0.operation == operation }
  }
}

/// A table of one database.
package struct StoryTable: Sendable, Hashable {
  /// Index in the story's databases.
  package var database: Int
  package var name: String

  package init(database: Int, name: String) {
    self.database = database
    self.name = name
  }

  /// True when a library keeps its own data in it, as GRDB does of its migrations.
  var isOfLibrary: Bool { name.hasPrefix("grdb_") }
}

/// Something about a step that a reader should see.
package enum StoryMark: Sendable, Hashable {
  /// A write that could have changed rows changed none.
  case changedNothing
  /// A trigger that writes ran, and changed no row of the table that it writes.
  case triggerChangedNothing(trigger: String, table: String)
  /// It failed, and the test went on.
  case swallowedError
  case readNothing
  /// It dropped a table, and with it triggers and indexes that were not made again; a step made the table anew.
  case tookAlong(_ objects: [String], table: String, madeAgain: Int?)
  /// It read what was committed before another connection's step, in a transaction that is older than that.
  case staleRead(commit: Int, connection: Int)
  /// It is about another database than the statements around it, by their index in the story's databases.
  case otherDatabase(around: Int)
}
