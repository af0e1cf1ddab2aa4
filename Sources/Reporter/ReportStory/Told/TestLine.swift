package import Collector
import ReportModel
package import ReportPlaces

/// What one line of a test's own function did.
package struct TestLine: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// Up to the baseline, or of set-up functions.
    case setUp
    case line(Place)
    /// Off the test's stack: of a task, or an observer.
    case elsewhere
  }

  /// A function of the package that ran steps for a line.
  package struct Called: Sendable, Equatable {
    package var place: Place
    package var steps = 0
    package var first: Int?
    package var last: Int?
    package var sentence = ""
    package var failures: Failures?
  }

  /// A statement that changed rows, with all its runs for a line.
  package struct Write: Sendable, Equatable {
    package var sql: String
    package var runs: Int
    package var rows: Int
    /// Some runs changed another number of rows than most.
    package var isUnlike = false
  }

  /// The steps of a line that SQLite refused.
  package struct Failures: Sendable, Equatable {
    package var steps: Int
    package var most: RecordedStory.Failure
    package var mostSteps: Int
    /// All found the database locked and ran later.
    package var isRetried = false

    /// `5 failed (FOREIGN KEY constraint failed)`.
    package var text: String {
      let others = mostSteps < steps ? "\(grouped(mostSteps)) with " : ""
      return
        "\(grouped(steps)) failed (\(others)\(most.message))\(isRetried ? ", the same ran later" : "")"
    }
  }

  package var kind: Kind
  package var times = 0
  package var steps = 0
  /// Overwritten steps, which are only counted.
  package var counted = 0
  package var first: Int?
  package var last: Int?
  /// Of the set-up empty: `called` tells its changes.
  package var sentence = ""
  /// `stock.units: +8,153 in all, 253 rows`.
  package var notes: [String] = []
  /// Of the set-up none.
  package var writes: [Write] = []
  package var failures: Failures?
  package var called: [Called] = []
  package var omittedCalled = 0
  package var isFailure = false
}

extension TestLine {
  package var place: Place? {
    if case .line(let place) = kind { place } else { nil }
  }
}
