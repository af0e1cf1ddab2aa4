import Collector
import Foundation

/// The class names of a file, each taken apart once.
struct TestClasses {
  private var known: [String: (module: String, suite: [String])] = [:]
  /// Neighbours are mostly of one class.
  private var last: (className: String, module: String, suite: [String])?

  mutating func identity(className: String, name: String) -> TestCaseID {
    if let last, last.className == className {
      return TestCaseID(module: last.module, suite: last.suite, name: name)
    }
    let (module, suite) = parts(of: className)
    last = (className, module, suite)
    return TestCaseID(module: module, suite: suite, name: name)
  }

  private mutating func parts(of className: String) -> (module: String, suite: [String]) {
    if let known = known[className] { return known }
    let id = TestCaseID(className: className, name: "")
    known[className] = (id.module, id.suite)
    return (id.module, id.suite)
  }
}

extension Observation {
  /// - Parameter folder: The folder of the file, which attachments must not leave.
  init(_ testCase: XUnitDocument.Case, classes: inout TestClasses, folder: String) {
    let issues = testCase.failures.map { TestIssue($0, in: testCase) }
    self.init(
      id: classes.identity(className: testCase.className, name: testCase.name),
      framework: testCase.framework, outcome: testCase.outcome, duration: testCase.time)
    if let location = SourceReference(file: testCase.file, line: testCase.line) { self.location = location }
    if !issues.isEmpty { self.issues = issues }
    if let reason = testCase.skipped { note(skipped: reason, testCase.isExpectedFailure) }
    if !testCase.attempts.isEmpty {
      self.attempts = testCase.attempts.map { attempt in
        TestAttempt(
          outcome: .failed, issues: [TestIssue(attempt, in: testCase)],
          output: attempt.output.isEmpty ? nil : attempt.output)
      }
    }
    if !testCase.properties.isEmpty { self.properties = testCase.properties }
    if !testCase.output.isEmpty { take(testCase.output, folder: folder) }
  }

  private mutating func note(skipped reason: String, _ isExpectedFailure: Bool) {
    if isExpectedFailure {
      let message = reason.isEmpty ? "Expected to fail" : reason
      self.issues.append(
        TestIssue(message: message, location: self.location, severity: .error, isKnown: true))
    } else if !reason.isEmpty {
      self.skipReason = reason
    }
  }

  /// What it printed is kept where it did not simply pass; attachments that it names are evidence.
  private mutating func take(_ output: String, folder: String) {
    if outcome.isFailure || self.attempts.contains(where: \.outcome.isFailure) { self.output = output }
    let attached = AttachmentMarker.paths(in: output).map { path in
      ObservedEvidence(attachment: path, in: folder)
    }
    if !attached.isEmpty { self.evidence = attached }
  }
}

/// `[[ATTACHMENT|path]]` in what a test printed, on a line of its own, as Jenkins and GitLab read it.
///
/// Source: the JUnit attachments plugin of Jenkins and GitLab's documentation of JUnit reports.
enum AttachmentMarker {
  private static let start = "[[ATTACHMENT|"
  /// More than a report can show.
  private static let maximumCount = 100

  static func paths(in output: String) -> [String] {
    guard output.contains(start) else { return [] }
    let lines = output.split(whereSeparator: \.isNewline).lazy.map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let paths = lines.filter { $0.hasPrefix(start) && $0.hasSuffix("]]") }
      .map { String($0.dropFirst(start.count).dropLast(2)) }
    return Array(paths.prefix(maximumCount))
  }
}

extension ObservedEvidence {
  /// A file that a test names; relative paths start in the folder of the input.
  fileprivate init(attachment path: String, in folder: String) {
    let relative = path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
    let plain = relative.hasPrefix("./") ? String(relative.dropFirst(2)) : relative
    let name = plain.split(separator: "/").last.map(String.init) ?? plain
    self.init(
      kind: .file, name: name,
      content: .file(ContainedPath(folder: folder, path: plain, allowsHidden: false)), origin: .printed)
  }
}

extension TestIssue {
  fileprivate init(_ failure: XUnitDocument.Failure, in testCase: XUnitDocument.Case) {
    let text = failure.text.withoutSpaceAround
    let isInText = text.isEmpty ? failure.message.isEmpty : text.contains(failure.message)
    let message = isInText ? text : text.isEmpty ? failure.message : "\(failure.message)\n\(text)"
    self.init(
      message: message.withoutSpaceAround,
      location: SourceReference(file: testCase.file, line: testCase.line), severity: .error, isKnown: false)
  }
}

extension String {
  /// Most texts have no white space at their ends, and Foundation takes long to find that out.
  fileprivate var withoutSpaceAround: String {
    guard let first = utf8.first, let last = utf8.last else { return self }
    let isTrimmed = (0x21..<0x80).contains(first) && (0x21..<0x80).contains(last)
    return isTrimmed ? self : trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

extension XUnitDocument.Case {
  fileprivate var outcome: Outcome {
    OutcomeTable.ofXUnit(
      hasFailed: !failures.isEmpty, isComplete: isComplete, isSkipped: skipped != nil,
      isExpectedFailure: isExpectedFailure)
  }

  fileprivate var framework: TestFramework? {
    switch writer {
    case .swiftTesting: .swiftTesting
    case .xctest: .xctest
    case nil: nil
    }
  }
}
