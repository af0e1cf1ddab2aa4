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
  /// Whether literals, values, results and rows are left out for privacy.
  package var isWithheld = false
  /// Why rows that it changed are not told; `nil` when they are, or it changed none.
  package var untold: RecordedStory.UntoldRows?
  /// Of which test it is known to be.
  package var owner = RecordedStory.Owner.test
  /// Seconds.
  package var duration: Double?
  /// How many rows it returned; `nil` where that is not known.
  package var rows: Int?
  /// How many rows it changed, without those of triggers and cascades.
  package var changed: Int?
  /// Changes for which there was no room.
  package var unkept = 0
  /// Whether it had not ended when the story was written: of a process that died, what it died in.
  package var isRunning = false
  package var error: RecordedStory.Failure?
  /// Why its changes do not stand; `nil` when they do, or it made none.
  package var undone: Undone?
  package var triggers: [String] = []
  /// The names of the result's columns.
  package var columns: [String] = []
  /// The first rows of the result.
  package var results: [[Story.Value?]] = []
  /// What the statement itself changed, by table.
  package var changes: [StoryTableChanges] = []
  /// What triggers and cascades changed, by table.
  package var consequences: [StoryTableChanges] = []
  package var marks: [StoryMark] = []
  /// The package's own functions that led to it; `nil` where no place is known.
  package var stack: CallStack?
  /// Whether a library asks by it for what it has to know of a database, and nothing went wrong.
  var isHousekeeping = false
  /// What it is instead of a statement; its number is negative among steps that were recorded.
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

/// What one step changed in one table.
package struct StoryTableChanges: Sendable, Equatable {
  package var table: StoryTable
  /// The columns' names; `column 1` and so on where no schema tells them.
  package var columns: [String]
  /// The first ones, in the order in which they were made.
  package var changes: [RecordedStory.Change]
  /// How many more there are.
  package var omitted = 0
  /// Of a virtual table: what it changed in the tables that hold its data, by their names.
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

  /// Whether a library keeps something for itself in it, as GRDB does of its migrations.
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
  /// It read what was committed before another connection's step, in a transaction that is older than that.
  case staleRead(commit: Int, connection: Int)
  /// It is about another database than the statements around it, by their index in the story's databases.
  case otherDatabase(around: Int)
}
