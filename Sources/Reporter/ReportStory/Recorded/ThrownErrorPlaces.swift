import Collector
import ReportModel
import ReportPlaces

/// Finds where a test threw an error of SQLite that its test library reports without a place: the test's line on the
/// stack of the step that failed with it.
struct ThrownErrorPlaces {
  let recorded: RecordedStory
  /// In the order of their numbers.
  let steps: [RecordedStory.Step]
  /// By the numbers of stacks.
  let callStacks: [Int: CallStack]

  /// The issues with the places that can be told; those that have one keep it.
  func located(_ issues: [TestIssue]) -> [TestIssue] {
    guard let test = recorded.test, !callStacks.isEmpty else { return issues }
    var issues = issues
    for told in recorded.issues where issues.indices.contains(told.ordinal) {
      let issue = issues[told.ordinal]
      guard issue.isFailure, issue.location == nil, let place = place(of: issue, after: told.after, in: test)
      else { continue }
      issues[told.ordinal].location = place
      issues[told.ordinal].placeOrigin = .step
    }
    return issues
  }

  /// - Parameter after: The number of the last step before the issue.
  private func place(of issue: TestIssue, after: Int, in test: TestCaseID) -> SourceReference? {
    let failed = steps.filter { $0.number <= after && $0.error != nil }
    // A code says less than a text: another statement may have failed with it.
    let thrown =
      failed.last { $0.error?.isTold(byTextIn: issue.message) == true }
      ?? failed.last.flatMap { $0.error?.isTold(byCodeIn: issue.message) == true ? $0 : nil }
    guard let stack = thrown?.stack.flatMap({ callStacks[$0] }), let own = stack.frames(of: test) else {
      return nil
    }
    return stack.frames[own.lowerBound].place.reference
  }
}

extension RecordedStory.Failure {
  func isTold(byTextIn text: String) -> Bool { !message.isEmpty && text.contains(message) }

  /// Extended codes, from 256 on, stand for themselves; a smaller one is a number like others where the text does not name
  /// SQLite.
  fileprivate func isTold(byCodeIn text: String) -> Bool {
    let numbers = Set(text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) })
    if code > 255, numbers.contains(code) { return true }
    return numbers.contains(code & 255) && text.lowercased().contains("sqlite")
  }
}
