package import Collector
import ExhibitSystem
package import ReportModel

/// A run that is added to a history, with its tests.
package struct AddedRun: Sendable {
  package var run: HistoryRun
  package var outcomes: [(test: TestCaseID, outcome: PastOutcome)]
  package var passes: [KeptPass] = []
  /// What the stacks of these passes name, as a `places.json`; empty where that is not known.
  package var places: [UInt8] = []
  /// Of tests of which two passes were compared, what is not the same in each; the first ones are kept where they are many.
  package var variations: [TestCaseID: [PassVariation]] = [:]

  package init(run: HistoryRun, tests: [TestResult]) {
    self.run = run
    outcomes = tests.map { ($0.id, PastOutcome($0, in: run)) }
  }
}

/// The story of a test that passed, as a history keeps the last one.
package struct KeptPass: Sendable, Equatable {
  package var test: TestCaseID
  /// Seconds since 1970 when the test began.
  package var began: Double?
  /// The lines of a `story.jsonl`, as gzip packs them; `nil` where it cannot.
  var packed: [UInt8]?

  /// - Parameter story: The lines of a `story.jsonl`.
  package init(test: TestCaseID, began: Double?, story: [UInt8]) {
    (self.test, self.began) = (test, began)
    packed = story.withUnsafeBufferPointer(gzip)
  }
}

extension HistoryStore {
  /// Adds a run, or what is new of one that it has, but none of a clock that is ahead: that would stay the newest.
  ///
  /// - Parameter now: Seconds since 1970.
  /// - Returns: Whether anything was new.
  @discardableResult package func add(_ added: AddedRun, now: Double = currentTime()) throws(HistoryError)
    -> Bool
  {
    if added.run.isAhead(of: now) { throw HistoryError(name, .ahead(began: added.run.began)) }
    return try write(isMaking: true) { connection in
      try RunWriting(connection: connection, kept: KeptRun(added)).add() ? true : nil
    } ?? false
  }
}
