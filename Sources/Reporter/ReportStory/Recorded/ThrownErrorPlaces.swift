import Collector
import ReportModel
import ReportPlaces

/// Finds the test's line where it threw an error of SQLite of which the test library tells no place.
struct ThrownErrorPlaces {
  let recorded: RecordedStory
  let steps: [RecordedStory.Step]
  let callStacks: [Int: CallStack]

  /// Adds places; those that are there stay.
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

  private func place(of issue: TestIssue, after: Int, in test: TestCaseID) -> SourceReference? {
    let failed = steps.filter { $0.number <= after && $0.error != nil }
    // A code says less than a text.
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

  /// Codes from 256 on are unlike other numbers; smaller ones count where the text names SQLite.
  fileprivate func isTold(byCodeIn text: String) -> Bool {
    let numbers = Set(text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) })
    if code > 255, numbers.contains(code) { return true }
    return numbers.contains(code & 255) && text.lowercased().contains("sqlite")
  }
}
