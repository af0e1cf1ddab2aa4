package import Collector
import ReportModel
package import ReportPlaces

/// The steps and changes of one line of a test's own function.
package struct TestLine: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// Everything up to the baseline, or what set-up functions did.
    case setUp
    case line(Place)
    /// Work off the test's stack: of a task that it started, or of an observer.
    case elsewhere
  }

  /// A function of the package that ran steps for a line.
  package struct Called: Sendable, Equatable {
    /// The innermost place of the package's own code that is no helper's.
    package var place: Place
    package var steps = 0
    /// Numbers of steps; `nil` where none of them is told.
    package var first: Int?
    package var last: Int?
    /// The changes of its steps; empty where there are none.
    package var sentence = ""
    /// Those of its steps that failed; `nil` where none did.
    package var failures: Failures?
  }

  /// A statement that changed rows, with all its runs for a line.
  package struct Write: Sendable, Equatable {
    package var sql: String
    package var runs: Int
    /// Rows that they changed themselves.
    package var rows: Int
    /// True where some changed another number of rows than most did.
    package var isUnlike = false
  }

  /// The steps of a line that SQLite refused.
  package struct Failures: Sendable, Equatable {
    package var steps: Int
    /// What it said most often, and of how many of them.
    package var most: RecordedStory.Failure
    package var mostSteps: Int
    /// True where all found the database locked, and their statements ran later.
    package var isRetried = false

    /// `5 failed (FOREIGN KEY constraint failed)`.
    package var text: String {
      let others = mostSteps < steps ? "\(grouped(mostSteps)) with " : ""
      return
        "\(grouped(steps)) failed (\(others)\(most.message))\(isRetried ? ", the same ran later" : "")"
    }
  }

  package var kind: Kind
  /// The number of visits to the line.
  package var times = 0
  package var steps = 0
  /// The number of those that were overwritten and are only counted.
  package var counted = 0
  /// Numbers of steps; `nil` for a line without any that is told.
  package var first: Int?
  package var last: Int?
  /// All changes of its steps; empty where there are none, and of the set-up, whose changes `called` tells.
  package var sentence = ""
  /// The changes in columns, with values: `stock.units: +8,153 in all, 253 rows`.
  package var notes: [String] = []
  /// The statements that changed rows, in the order in which they first did; of the set-up none.
  package var writes: [Write] = []
  /// Those of its steps that failed; `nil` where none did.
  package var failures: Failures?
  /// The first ones, in the order in which they first ran.
  package var called: [Called] = []
  package var omittedCalled = 0
  /// True for the line of the first failure.
  package var isFailure = false
}

extension TestLine {
  /// Its place in the code; `nil` of set-up and of what is off the test's stack.
  package var place: Place? {
    if case .line(let place) = kind { place } else { nil }
  }
}
