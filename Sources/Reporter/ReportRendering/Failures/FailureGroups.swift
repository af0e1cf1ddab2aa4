import Collector
import ReportModel
import ReportReading
import ReportStory

/// Failed tests that are alike, in the order of the report; never empty.
struct FailureGroup: Sendable {
  var failures: [TestResult]
  /// True when they are alike only in that no input tells what failed.
  var isUnexplained = false

  var total: Int { failures.count }

  /// The words behind their number for what they have in common.
  var relation: String { isUnexplained ? "of which no input tells more" : "that are alike" }

  /// The words for what the others have in common with the first, behind their number, which may be one.
  var relationToFirst: String { isUnexplained ? relation : "like this one" }
}

/// Failed tests by equal signature: crashes first, then what most tests have.
///
/// Groups of one size keep the order of the report.
///
/// - Parameter stories: They tell which statement a failure is about.
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

/// The failures that are like others: the number of their group, from 1, as the list and its search give it, and how many
/// it has.
func alikeFailures(_ groups: [FailureGroup]) -> [TestCaseID: (number: Int, total: Int)] {
  var alike: [TestCaseID: (number: Int, total: Int)] = [:]
  // Failures of which no input tells more are not alike for that.
  for (index, group) in groups.enumerated() where group.total > 1 && !group.isUnexplained {
    for test in group.failures { alike[test.id] = (index + 1, group.total) }
  }
  return alike
}

/// The common traits of failures that are alike: how they ended, where, and what failed there.
///
/// Two failures can be alike and have two causes, so in doubt they are apart. Values are left out only where something
/// else tells that it is the same that failed: the words of an error or of the test's author, or one place in one test.
/// What several tests compare at one place is the same where its values and the statement that it is about are.
struct FailureSignature: Hashable, Sendable {
  private var outcome: Outcome
  /// The words for what failed.
  private var subject: String?
  /// The place where the issue was recorded: in the test, or in what it called.
  private var place: SourceReference?
  /// The test that got there: the same assertion of a shared function compares other values for each of its callers.
  private var test: TestCaseID?
  /// The statement that failed or was read last, where nothing but it and values tells failures apart.
  private var statement: String?

  init(of test: TestResult, _ story: Story? = nil) {
    outcome = test.outcome
    if outcome == .crashed {
      place = test.crash?.fatalErrorPlace
      if place == nil { self.test = test.id.function }
    }
    guard let issue = test.leadingIssue, !issue.isPlaceholder else { return }
    let text = issue.message
    if let error = Self.thrownError(in: text) {
      // The place of a thrown error is where its test is declared.
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

  /// True when no input tells what failed.
  var isUnexplained: Bool { subject == nil && place == nil && test == nil }

  /// The error that a test threw, in the wordings of XCTest and Swift Testing; `nil` for any other message.
  private static func thrownError(in text: String) -> String? {
    for opening in ["threw error \"", "Caught error: "] where text.utf8.starts(with: opening.utf8) {
      return String(text.dropFirst(opening.count))
    }
    return nil
  }

  /// True when a message is a framework's own wording of a comparison, which tells nothing but its values.
  private static func isAssertion(_ text: String) -> Bool {
    let line = firstLine(text)
    if line.hasPrefix("XCT") { return true }
    let lower = line.lowercased()
    return ["expect", "assert"].contains { !lower.places(of: $0).isEmpty }
  }

  /// The assertion and the expression that it is about: what precedes values and comments on the first line.
  private static func expression(in text: String) -> String {
    let line = firstLine(text)
    let ends = [" → ", " (error)", " (\"", " - "].compactMap { line.places(of: $0).first?.lowerBound }
    return String(line[..<(ends.min() ?? line.endIndex)])
  }
}

extension CrashOutput {
  /// The place where the process ended itself, as the last such line says.
  fileprivate var fatalErrorPlace: SourceReference? {
    lastLines.lazy.compactMap { FatalErrorPlace($0) }.last.map {
      SourceReference(file: "\($0.module)/\($0.file)", line: $0.line)
    }
  }
}
