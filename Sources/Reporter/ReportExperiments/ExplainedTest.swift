package import Collector

/// What experiments found out about one failing test.
package struct ExplainedTest: Sendable, Equatable {
  /// How the test ends as it is, alone.
  package enum Control: Sendable, Equatable {
    /// It fails alone too, with the same message each time.
    case fails
    /// It passed, or failed otherwise, when it ran alone: a sentence.
    case differs(String)
    /// It was not run, and a sentence says why.
    case refused(String)
  }

  /// A change with which the test passes.
  package struct Proven: Sendable, Equatable {
    /// The statement that is changed, as the app has it; `nil` for a setting.
    package var sql: String?
    /// What stands in its place.
    package var replacement: String?
    /// The number of a step that ran it.
    package var step: Int?
    package var words: String
    package var bare: String
    package var operatorName: String
    /// The number of experiments until then, with this one.
    package var number: Int
    /// Further changes of the same statement with which the test passes.
    package var more = 0
    /// The tests of its target that passed before and ran with it; `nil` where they were not run.
    package var others: Others?

    /// True where so many others fail with it that rather the test is wrong, or what it asks for.
    package var breaksOthers: Bool { (others?.failed.count ?? 0) >= Self.mostBroken }

    package static let mostBroken = 3

    package init(words: String, bare: String, operatorName: String, number: Int) {
      (self.words, self.bare, self.operatorName, self.number) = (words, bare, operatorName, number)
    }
  }

  /// How the tests that passed without a change end with it.
  package struct Others: Sendable, Equatable {
    package var passed = 0
    /// Those that fail with it, by name.
    package var failed: [String] = []

    package init(passed: Int = 0, failed: [String] = []) { (self.passed, self.failed) = (passed, failed) }
  }

  package var test: TestCaseID
  package var control: Control
  /// The experiments that were made, those with an effect on the test, and the statements that they were about.
  package var tried = 0
  package var changing = 0
  package var statements = 0
  /// The numbers of steps whose statement reaches what the test compares, the nearest first: it fails with another
  /// message where the statement is changed.
  package var reaching: [Int] = []
  /// The number of statements without effect on the test, however they were changed.
  package var idle = 0
  /// The experiments that were planned.
  package var planned = 0
  /// Seconds.
  package var seconds = 0.0
  /// The one that leads comes first; at most one of each statement.
  package var proven: [Proven] = []

  package init(test: TestCaseID, control: Control) { (self.test, self.control) = (test, control) }
}
