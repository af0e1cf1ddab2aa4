package import Collector
package import ExhibitSQLite
package import ReportPlaces

/// One statement of a story: what was recorded of it, and what the story knows beside.
@dynamicMemberLookup
package struct StoryStep: Sendable, Equatable {
  /// Without its changes and results, which the story has by table and in part.
  private var recorded: RecordedStory.Step
  /// Index in the story's databases of what the statement is about.
  package var database: Int
  /// The reason why its changes do not stand; `nil` when they do, or it made none.
  package var undone: Undone?
  /// The first rows of the result.
  package var results: [[DatabaseValue?]]
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

  init(_ recorded: RecordedStory.Step, database: Int) {
    (self.recorded, self.database, results) = (recorded.withoutRows, database, recorded.results)
    // A reason is one only where rows are missing.
    if !recorded.lacksRows { self.recorded.untold = nil }
  }

  /// The facts that were recorded.
  package subscript<Fact>(dynamicMember fact: KeyPath<RecordedStory.Step, Fact>) -> Fact {
    recorded[keyPath: fact]
  }

  package var number: Int { recorded.number }
  package var sql: String { recorded.sql }

  /// The statement with its values, as far as they are known; of a transaction of a WAL what it changed.
  package var statement: String { commit?.text ?? recorded.expanded ?? recorded.sql }

  /// Changes what was recorded for this story alone.
  mutating func change(_ body: (RecordedStory.Step) -> Void) {
    recorded = recorded.withoutRows
    body(recorded)
  }

  package enum Undone: Sendable, Equatable {
    /// It failed.
    case failed
    /// Its transaction was rolled back.
    case rolledBack
    /// The transaction was rolled back to this savepoint.
    case rolledBackTo(String)
  }
}

/// A transaction of a WAL in a story: what was committed, without the statements that did it.
package struct StoryCommit: Sendable, Equatable {
  /// From 1, as it lies in the WAL.
  package var number: Int
  /// The number of pages that it wrote.
  package var pages: Int
  /// Its changes, in words that never are empty.
  package var text: String
  /// The reasons why parts are not told, in sentences.
  package var problems: [String] = []
  /// The declarations of the tables and other things that it made.
  package var statements: [String] = []
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
