package import ExhibitSQLite
package import ReportPlaces

/// The work of a test on its databases, in order and grouped by transaction, with changed rows and the failure in its
/// place.
package struct Story: Sendable, Equatable {
  package typealias Value = DatabaseValue

  /// The evidence that a story is made from, best first.
  package enum Source: String, Sendable, CaseIterable {
    /// Its statements were recorded.
    case trace
    /// The changes of a transaction that was still open.
    case uncommittedCopy
    /// The captured database against the state that the test started from.
    case baseline
    /// The captured database against the migration fixture that the test opened.
    case fixture
    /// Nothing is known of how the database came to be as it is.
    case none
  }

  package var source = Source.none
  /// A sentence on how to make the next report tell more; `nil` when there is nothing to do.
  package var advice: String?
  /// The number of steps that are missing at the beginning, at least.
  package var missing = 0
  /// The number of steps that are told, with those of the set-up and after the failure.
  package var stepCount = 0
  /// By number, as `StoryStep.database` and `StoryTable.database` name them.
  package var databases: [StoryDatabase] = []
  /// The databases that several connections worked on: there it matters which one it was.
  package var sharedDatabases: Set<Int> = []
  /// True when a store or `markBaseline` says where the set-up ends.
  package var hasBaseline = false
  /// The items before the last baseline.
  package var setUp: [StoryItem] = []
  /// From there to the first failure.
  package var items: [StoryItem] = []
  /// The items after the first failure.
  package var afterFailure: [StoryItem] = []
  /// All changes between the set-up and the first failure.
  package var changes = ChangeSummary()
  /// The changes written last, where the test made all tables itself, so that all rows are its own.
  package var lastChanges: ChangeSummary?
  /// The last writes and the last read before the failure.
  package var ending: [StoryEnding] = []
  /// The set-up and the lines of the test's function with what each did; none where places are not known.
  package var lines: [TestLine] = []
  /// Each distinct statement at each place in the code, with how often it ran; of a trace only.
  package var statements: [StatementRuns] = []
  /// The number of such statements before them.
  package var omittedStatements = 0
  /// The possible causes of the failure, the most telling first.
  package var explanations: [Explanation] = []
  /// The differences from a run that passed; `nil` where no pass was recorded.
  package var comparison: PassComparison?
  /// The last writes and reads with their rows, and what failed, in the order in which they happened.
  package var highlights: [StoryHighlight] = []
  /// The number of the read that the failing value comes from, by its result or by a row that was written with it; `nil`
  /// where none is known.
  package var originStep: Int?
  /// True where that read returned the value itself.
  package var isOriginCertain = false
  /// The numbers of the reads that the failing value may come from.
  var leadingSteps: [Int] = []
  /// The line of the test that made all of several such reads.
  package var readingLine: Int?
  /// The numbers of the steps that pages show; `nil` as long as nobody has chosen them.
  package var shown: Set<Int>?
  /// The numbers of the steps that findings name.
  var stepsOfFindings: Set<Int> = []
  /// The values of the first failure's message that were found.
  package var messageValues: [MessageValue] = []
  /// The places of these values, at most five of each.
  package var valuePlaces: [MessageValuePlace] = []
  /// Without a trace: what the two states differ in, by the evidence's path in the report's folder.
  package var states: [StoryStates] = []
  /// Sentences for the reader: why rows or steps are missing, what contradicts the captured database.
  package var notices: [String] = []

  /// Without a trace: what the states differ in, in one sentence.
  package var statesSentence: String {
    states.map { states.count == 1 ? $0.sentence : "\($0.name): \($0.sentence)" }.joined(separator: "; ")
  }

  /// Every step that is kept, in the order of the story; those between the first and the last of a repetition are not.
  package var steps: [StoryStep] { (setUp + items + afterFailure).steps }

  /// The step of that number, where it is kept.
  package subscript(step number: Int) -> StoryStep? {
    for part in [items, afterFailure, setUp] {
      if let step = part.steps.first(where: { $0.number == number }) { return step }
    }
    return nil
  }
}

extension Story {
  /// Changes each step that is kept, from the last to the first: those of the test, those after the failure, the set-up.
  mutating func changeSteps(_ body: (inout StoryStep) -> Void) {
    items.changeSteps(body)
    afterFailure.changeSteps(body)
    setUp.changeSteps(body)
  }
}

/// A database that the story names.
package struct StoryDatabase: Sendable, Equatable {
  /// As a reader calls it: the file's name, with as much of its path as tells it from others.
  package var name: String
  /// The original's path; `nil` in memory.
  package var path: String?
  /// The package's own functions that opened it first, in this test; `nil` where they are not known.
  package var opened: CallStack?

  package init(name: String, path: String? = nil, opened: CallStack? = nil) {
    (self.name, self.path, self.opened) = (name, path, opened)
  }
}
