/// One statement of a story.
struct StoryStep: Sendable, Equatable {
  /// Counts the steps of the process from 1.
  var number: Int
  /// Seconds since the test's start.
  var time: Double
  var connection: Int
  /// Index in the story's databases of what the statement is about.
  var database: Int
  var sql: String
  /// With the values of its parameters in their places.
  var expanded: String?
  var isReadOnly: Bool
  /// Whether literals, values, results and rows are left out for privacy.
  var isWithheld: Bool
  /// Why rows that it changed are not told; `nil` when they are, or it changed none.
  var untold: RecordedStory.UntoldRows?
  /// Of which test it is known to be.
  var owner: RecordedStory.Owner
  /// Seconds.
  var duration: Double?
  /// How many rows it returned; `nil` where that is not known.
  var rows: Int?
  /// How many rows it changed, without those of triggers and cascades.
  var changed: Int?
  /// Changes for which there was no room.
  var unkept: Int
  /// Whether it had not ended when the story was written: of a process that died, what it died in.
  var isRunning: Bool
  var error: RecordedStory.Failure?
  /// Why its changes do not stand; `nil` when they do, or it made none.
  var undone: Undone?
  var triggers: [String]
  /// The names of the result's columns.
  var columns: [String]
  /// The first rows of the result.
  var results: [[Story.Value?]]
  /// What the statement itself changed, by table.
  var changes: [StoryTableChanges] = []
  /// What triggers and cascades changed, by table.
  var consequences: [StoryTableChanges] = []
  /// What ran inside of it: statements of virtual tables, and of the app's functions.
  var nested: [StoryStep] = []
  var marks: [StoryMark] = []
  /// Whether a library asks by it for what it has to know of a database, and nothing went wrong.
  var isHousekeeping = false
  /// What it is instead of a statement; its number is negative among steps that were recorded.
  var commit: StoryCommit?

  enum Undone: Sendable, Equatable {
    /// It failed.
    case failed
    /// Its transaction was rolled back.
    case rolledBack
    /// The transaction was rolled back to this savepoint.
    case rolledBackTo(String)
  }
}

/// What one step changed in one table.
struct StoryTableChanges: Sendable, Equatable {
  var table: StoryTable
  /// The columns' names; `column 1` and so on where no schema tells them.
  var columns: [String]
  /// The first ones, in the order in which they were made.
  var changes: [RecordedStory.Change]
  /// How many more there are.
  var omitted = 0
  /// Of a virtual table: what it changed in the tables that hold its data, by their names.
  var shadows: [String: Int] = [:]

  func count(_ operation: RecordedStory.Operation) -> Int {
    changes.count { $0.operation == operation }
  }
}

/// A table of one database.
struct StoryTable: Sendable, Hashable {
  /// Index in the story's databases.
  var database: Int
  var name: String

  /// Whether a library keeps something for itself in it, as GRDB does of its migrations.
  var isOfLibrary: Bool { name.hasPrefix("grdb_") }
}

/// Something about a step that a reader should see.
enum StoryMark: Sendable, Equatable {
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
