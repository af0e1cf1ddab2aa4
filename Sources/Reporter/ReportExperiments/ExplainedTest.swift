package import Collector

/// The results of experiments on a failing test.
package struct ExplainedTest: Sendable, Equatable {
  /// How the test ends alone, unchanged.
  package enum Control: Sendable, Equatable {
    /// It fails with the same message.
    case fails
    /// It ends differently; a sentence.
    case differs(String)
    /// It was not run; a sentence says why.
    case refused(String)
  }

  /// A change that makes the test pass.
  package struct Proven: Sendable, Equatable {
    /// The changed statement; `nil` for a setting.
    package var sql: String?
    package var replacement: String?
    package var step: Int?
    package var words: String
    package var bare: String
    package var operatorName: String
    /// The number of experiments up to this one.
    package var number: Int
    /// Further successful changes of the statement.
    package var more = 0
    /// Other tests of the target run with the change, if any.
    package var others: Others?

    /// True when so many others fail that the test is probably wrong.
    package var breaksOthers: Bool { (others?.failed.count ?? 0) >= Self.mostBroken }

    package static let mostBroken = 3

    package init(words: String, bare: String, operatorName: String, number: Int) {
      (self.words, self.bare, self.operatorName, self.number) = (words, bare, operatorName, number)
    }
  }

  package struct Others: Sendable, Equatable {
    package var passed = 0
    package var failed: [String] = []

    package init(passed: Int = 0, failed: [String] = []) { (self.passed, self.failed) = (passed, failed) }
  }

  package var test: TestCaseID
  package var control: Control
  /// Numbers of experiments, of those with an effect, and of statements.
  package var tried = 0
  package var changing = 0
  package var statements = 0
  /// Steps whose change alters the failure, nearest first.
  package var reaching: [Int] = []
  /// Statements without any effect.
  package var idle = 0
  package var planned = 0
  /// Seconds.
  package var seconds = 0.0
  /// Best first, one per statement.
  package var proven: [Proven] = []

  package init(test: TestCaseID, control: Control) { (self.test, self.control) = (test, control) }
}
