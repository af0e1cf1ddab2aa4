import Collector
import ReportModel
import ReportReading
import ReportStory

/// Similar failed tests, at least one.
struct FailureGroup: Sendable {
  var failures: [TestResult]
  /// True when no input tells what failed.
  var isUnexplained = false

  var total: Int { failures.count }

  var relation: String { isUnexplained ? "of which no input tells more" : "that are alike" }

  var relationToFirst: String { isUnexplained ? relation : "like this one" }
}

/// Groups failures by signature: crashes first, then by size.
///
/// - Parameter stories: Tell the statements concerned.
func failureGroups(_ failures: [TestResult], _ stories: [TestCaseID: Story] = [:]) -> [FailureGroup] {
  let signed = failures.lazy.map { (signature: FailureSignature(of: $0, stories[$0.id]), test: $0) }
  let groups = signed.groups { $0.signature }.map { alike in
    FailureGroup(failures: alike.map(\.test), isUnexplained: alike[0].signature.isUnexplained)
  }
  return groups.sorted { left, right in
    left.isCrash == right.isCrash ? left.total > right.total : left.isCrash
  }
}

extension FailureGroup {
  fileprivate var isCrash: Bool { failures.first?.outcome == .crashed }
}

/// For each failure that has similar ones, the number of its group, from 1, and the group's size.
func alikeFailures(_ groups: [FailureGroup]) -> [TestCaseID: (number: Int, total: Int)] {
  var alike: [TestCaseID: (number: Int, total: Int)] = [:]
  // Unexplained failures need not be similar.
  for (index, group) in groups.enumerated() where group.total > 1 && !group.isUnexplained {
    for test in group.failures { alike[test.id] = (index + 1, group.total) }
  }
  return alike
}

/// What similar failures have in common: outcome, place and subject.
///
/// In doubt failures are kept apart. Values are ignored only where an error text, the author's words, or one place in
/// one test identifies the failure; at a place shared by tests, values and statement must be equal.
struct FailureSignature: Hashable, Sendable {
  private var outcome: Outcome
  private var subject: String?
  private var place: SourceReference?
  /// The test, since assertions in shared functions compare different things.
  private var test: TestCaseID?
  /// The statement that failed or was read last, if only that tells failures apart.
  private var statement: String?

  init(of test: TestResult, _ story: Story? = nil) {
    outcome = test.outcome
    let issue = test.leadingIssue.flatMap { $0.isPlaceholder ? nil : $0 }
    if outcome == .crashed {
      place = issue.flatMap(Self.placeOfCrash)
      if place == nil { self.test = test.id.function }
    }
    guard let issue else { return }
    let text = issue.message
    if issue.isCrash {
      subject = foldingValues(in: text)
      return
    }
    if let error = Self.thrownError(in: text) {
      // A thrown error has its test's location.
      subject = foldingValues(in: error, foldsQuoted: test.id.argument != nil)
      if test.id.argument != nil { self.test = test.id.function }
      return
    }
    place = place ?? issue.location
    let isAssertion = Self.isAssertion(text)
    if isAssertion, test.id.argument == nil, issue.location != nil {
      statement = story?.failingStatement
      if statement != nil {
        subject = text
        return
      }
    }
    if isAssertion || test.id.argument != nil && issue.location != nil {
      self.test = test.id.function
    }
    let isOnePlace = self.test != nil && issue.location != nil
    subject = foldingValues(in: isOnePlace ? Self.expression(in: text) : text)
  }

  /// Its line, or the one that its message names.
  private static func placeOfCrash(_ issue: TestIssue) -> SourceReference? {
    guard issue.isCrash else { return nil }
    return issue.location
      ?? FatalErrorPlace(issue.message).map {
        SourceReference(file: "\($0.module)/\($0.file)", line: $0.line)
      }
  }

  var isUnexplained: Bool { subject == nil && place == nil && test == nil }

  /// The error in messages of XCTest and Swift Testing, if thrown.
  private static func thrownError(in text: String) -> String? {
    for opening in ["threw error \"", "Caught error: "] where text.utf8.starts(with: opening.utf8) {
      return String(text.dropFirst(opening.count))
    }
    return nil
  }

  /// True for a framework's wording, which contains only values.
  private static func isAssertion(_ text: String) -> Bool {
    let line = firstLine(text)
    if line.hasPrefix("XCT") { return true }
    let lower = line.lowercased()
    return ["expect", "assert"].contains { !lower.places(of: $0).isEmpty }
  }

  /// The assertion and its expression, without values and comments.
  private static func expression(in text: String) -> String {
    let line = firstLine(text)
    let ends = [" → ", " (error)", " (\"", " - "].compactMap { line.places(of: $0).first?.lowerBound }
    return String(line[..<(ends.min() ?? line.endIndex)])
  }
}
