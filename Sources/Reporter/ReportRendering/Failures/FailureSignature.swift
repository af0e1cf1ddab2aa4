import Collector
import ReportModel
import ReportReading

/// What failures that are alike have in common: how they ended, where, and what failed there.
///
/// Two failures can be alike and have two causes, so in doubt they are apart. Values are left out only where something
/// else tells that it is the same that failed: the words of an error or of the test's author, or one place in one test.
struct FailureSignature: Hashable, Sendable {
  private var outcome: Outcome
  /// What failed, in words.
  private var subject: String?
  /// Where the issue was recorded: in the test, or in what it called.
  private var place: SourceReference?
  /// The test that got there: the same assertion of a shared function compares other values for each of its callers.
  private var test: TestCaseID?

  init(of test: TestResult) {
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
    if Self.isAssertion(text) || test.id.argument != nil && issue.location != nil {
      self.test = test.id.function
    }
    let isOnePlace = self.test != nil && issue.location != nil
    subject = foldingValues(in: isOnePlace ? Self.expression(in: text) : text)
  }

  /// Whether no input tells what failed.
  var isUnexplained: Bool { subject == nil && place == nil && test == nil }

  /// What a test threw, in the wordings of XCTest and Swift Testing; `nil` for any other message.
  private static func thrownError(in text: String) -> String? {
    for opening in ["threw error \"", "Caught error: "] where text.utf8.starts(with: opening.utf8) {
      return String(text.dropFirst(opening.count))
    }
    return nil
  }

  /// Whether a message is a framework's own wording of a comparison, whose values are all that it tells.
  private static func isAssertion(_ text: String) -> Bool {
    let line = firstLine(text)
    return line.hasPrefix("XCT")
      || ["expect", "assert"].contains { !line.lowercased().places(of: $0).isEmpty }
  }

  /// The assertion and the expression that it is about: what precedes values and comments on the first line.
  private static func expression(in text: String) -> String {
    let line = firstLine(text)
    let ends = [" → ", " (error)", " (\"", " - "].compactMap { line.places(of: $0).first?.lowerBound }
    return String(line[..<(ends.min() ?? line.endIndex)])
  }
}

extension CrashOutput {
  /// Where the process ended itself, as the last such line says.
  fileprivate var fatalErrorPlace: SourceReference? {
    lastLines.lazy.compactMap { FatalErrorPlace($0) }.last.map {
      SourceReference(file: "\($0.module)/\($0.file)", line: $0.line)
    }
  }
}
