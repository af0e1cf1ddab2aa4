package import ReportInspection
package import ReportPlaces

/// The work of a test on its databases, grouped by transaction, with changed rows and the failure in its place.
package struct Story: Sendable, Equatable {
  /// What a story is made from, best first.
  package enum Source: String, Sendable, CaseIterable {
    case trace
    /// An open transaction's changes.
    case uncommittedCopy
    /// Against the state that the test started from.
    case baseline
    /// Against the migration fixture that the test opened.
    case fixture
    case none
  }

  package var source = Source.none
  /// How to make the next report tell more.
  package var advice: String?
  package var missing = 0
  /// Also those of the set-up and after the failure.
  package var stepCount = 0
  /// By number, as steps and tables name them.
  package var databases: [StoryDatabase] = []
  /// Several connections worked on them.
  package var sharedDatabases: Set<Int> = []
  /// A store or `markBaseline` says where the set-up ends.
  package var hasBaseline = false
  package var setUp: [StoryItem] = []
  package var items: [StoryItem] = []
  package var afterFailure: [StoryItem] = []
  package var changes = ChangeSummary()
  /// What was written last, where the test made all tables itself.
  package var lastChanges: ChangeSummary?
  package var ending: [StoryEnding] = []
  /// None where places are not known.
  package var lines: [TestLine] = []
  /// Each distinct statement at each place in the code.
  package var statements: [StatementRuns] = []
  package var omittedStatements = 0
  /// The most telling first.
  package var explanations: [Explanation] = []
  package var comparison: PassComparison?
  /// What was written, tried and read last, in order.
  package var highlights: [StoryHighlight] = []
  /// The read that the failing value comes from, by its result or by a row that was written with it.
  package var originStep: Int?
  package var isOriginCertain = false
  /// Reads that the failing value may come from.
  var leadingSteps: [Int] = []
  /// The line that made all of several such reads.
  package var readingLine: Int?
  /// What pages show; `nil` until it is chosen.
  package var shown: Set<Int>?
  var stepsOfFindings: Set<Int> = []
  /// Values of the failure's message that were found.
  package var messageValues: [MessageValue] = []
  /// At most five of each.
  package var valuePlaces: [MessageValuePlace] = []
  /// Without a trace: how two states differ.
  package var states: [StoryStates] = []
  package var notices: [String] = []

  package var statesSentence: String {
    states.map { states.count == 1 ? $0.sentence : "\($0.name): \($0.sentence)" }.joined(separator: "; ")
  }

  /// Of repetitions only the first and the last.
  package var steps: [StoryStep] { (setUp + items + afterFailure).steps }

  /// Those of `steps`.
  package var stepNumbers: [Int] { (setUp + items + afterFailure).stepNumbers }

  package subscript(step number: Int) -> StoryStep? {
    for part in [items, afterFailure, setUp] {
      if let step = part.firstStep(where: { $0.number == number }) { return step }
    }
    return nil
  }
}

extension Story {
  /// From the last step to the first.
  mutating func changeSteps(_ body: (inout StoryStep) -> Void) {
    items.changeSteps(body)
    afterFailure.changeSteps(body)
    setUp.changeSteps(body)
  }
}

package struct StoryDatabase: Sendable, Equatable {
  /// The file's name, with as much of its path as tells it from others.
  package var name: String
  /// `nil` in memory.
  package var path: String?
  /// The package's functions that opened it first in this test.
  package var opened: CallStack?
  /// What explains its values, where that is known.
  package var reading: ValueReading?

  package init(name: String, path: String? = nil, opened: CallStack? = nil, reading: ValueReading? = nil) {
    (self.name, self.path, self.opened, self.reading) = (name, path, opened, reading)
  }
}
