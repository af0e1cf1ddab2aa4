package import Collector
package import ExhibitSQLite
package import ReportPlaces

/// One statement of a story: what was recorded of it, and what the story knows beside.
@dynamicMemberLookup
package struct StoryStep: Sendable, Equatable {
  /// Without results and changes, of which the story has its own.
  private var recorded: RecordedStory.Step
  package var database: Int
  /// Why its changes do not stand.
  package var undone: Undone?
  package var results: [[DatabaseValue?]]
  package var changes: [StoryTableChanges] = []
  /// Of triggers and cascades.
  package var consequences: [StoryTableChanges] = []
  package var marks: [StoryMark] = []
  /// Which row a condition rejects, of a write that changed nothing.
  package var rejection: String?
  /// The package's own functions that led to it.
  package var stack: CallStack?
  /// Where the connection was opened, for a step that an event loop runs.
  package var opener: Place?
  /// A library asked for facts about the database, and nothing went wrong.
  var isHousekeeping = false
  /// A transaction of a WAL in the place of a statement; the number is negative then.
  package var commit: StoryCommit?

  init(_ recorded: RecordedStory.Step, database: Int) {
    (self.recorded, self.database, results) = (recorded.withoutRows, database, recorded.results)
    // A reason counts only where rows are missing.
    if !recorded.lacksRows { self.recorded.untold = nil }
  }

  package subscript<Fact>(dynamicMember fact: KeyPath<RecordedStory.Step, Fact>) -> Fact {
    recorded[keyPath: fact]
  }

  package var number: Int { recorded.number }
  package var sql: String { recorded.sql }

  /// With its values; of a WAL's transaction what it changed.
  package var statement: String { commit?.text ?? recorded.expanded ?? recorded.sql }

  /// For this story alone.
  mutating func change(_ body: (RecordedStory.Step) -> Void) {
    recorded = recorded.withoutRows
    body(recorded)
  }

  package enum Undone: Sendable, Equatable {
    case failed
    case rolledBack
    /// The savepoint.
    case rolledBackTo(String)
  }
}

/// A transaction of a WAL, whose statements nobody recorded.
package struct StoryCommit: Sendable, Equatable {
  package var number: Int
  package var pages: Int
  /// What it changed; never empty.
  package var text: String
  /// Why parts are not told.
  package var problems: [String] = []
  package var statements: [String] = []
}

package struct StoryTableChanges: Sendable, Equatable {
  package var table: StoryTable
  /// `column 1` and so on where no schema tells them.
  package var columns: [String]
  package var changes: [RecordedStory.Change]
  package var omitted = 0
  /// Changed rows in the tables behind a virtual one, by table.
  package var shadows: [String: Int] = [:]

  package func count(_ operation: RowOperation) -> Int {
    changes.count { $0.operation == operation }
  }
}

package struct StoryTable: Sendable, Hashable {
  package var database: Int
  package var name: String

  package init(database: Int, name: String) {
    self.database = database
    self.name = name
  }

  /// A library keeps its own data in it, as GRDB does of migrations.
  var isOfLibrary: Bool { name.hasPrefix("grdb_") }
}

/// Something odd about a step.
package enum StoryMark: Sendable, Hashable {
  /// It could have changed rows.
  case changedNothing
  /// The trigger changed no row of the table that it writes.
  case triggerChangedNothing(trigger: String, table: String)
  case swallowedError
  case readNothing
  /// A drop took triggers and indexes along; a step made the table anew without them.
  case tookAlong(_ objects: [String], table: String, madeAgain: Int?)
  /// It read in a transaction that is older than another connection's commit.
  case staleRead(commit: Int, connection: Int)
  /// The statements around it are about this other database.
  case otherDatabase(around: Int)
}
