import Collector
import ReportInspection
import ReportModel

extension TestResult {
  /// The name of the test in headings: its display name if it has one.
  var title: String { self.displayName ?? id.name }

  /// The sum of issues that made it fail, or of all when none did.
  var leadingIssue: TestIssue? { self.issues.first(where: \.isFailure) ?? self.issues.first }

  /// The reason why it ended as it did, on one line: its message, or why it was skipped.
  ///
  /// - Parameter sources: The lines around the places that issues name.
  func remarkInList(_ sources: [SourceReference: SourceExcerpt]) -> String? {
    guard outcome != .skipped else { return self.skipReason.map(glance) }
    if isPlain { return nil }
    guard let issue = leadingIssue else { return flakyRemark }
    let text = issue.message
    switch outcome {
    case .passed where isFlaky: return flakyRemark
    case .passed: return (issue.severity == .warning ? "Warning: " : "") + glance(issue, sources)
    // The second line of a known issue has what is known of it.
    case .knownIssue: return glance(textLines(of: text).prefix(2).joined(separator: " — "))
    case .crashed, .failed, .unfinished, .skipped: return glance(issue, sources)
    }
  }

  /// The message of the first attempt that failed.
  private var flakyRemark: String? {
    guard isFlaky, let failed = self.attempts.first(where: \.outcome.isFailure) else { return nil }
    let message = failed.issues.first(where: \.isFailure)?.message
    return glance("Failed before: \(message ?? "no input tells why")")
  }

  /// The values for the template `name`.
  var nameValues: TemplateValues {
    [
      "title": visibleOnOneLine(shortened(title, to: longestTitle)),
      "function": self.displayName == nil ? nil : visibleOnOneLine(shortened(id.name, to: longestTitle)),
      "argument": id.argument.map { visibleOnOneLine(shortened($0.description, to: longestTitle)) },
      "repetition": id.argument?.repetition.map(String.init),
    ]
  }

  /// The identity in full, when headings cut a part of it.
  var fullNameIfCut: String? {
    let parts = [title, id.name, id.argument?.description ?? ""]
    return parts.contains { $0.unicodeScalars.count > longestTitle } ? visibleOnOneLine(id.description) : nil
  }
}

/// Unicode scalars of a name in a heading; the page of a failed test has the whole.
private let longestTitle = 200

extension TestCaseID {
  /// The module and the suites, outermost first.
  var path: [String] { [module] + suite }

  /// The suites in one line; `nil` for a free function.
  var suiteTitle: String? { suite.isEmpty ? nil : suite.joined(separator: " / ") }
}

extension SourceReference {
  /// `File.swift:42`.
  var text: String { line.map { "\(file):\($0)" } ?? file }

  /// The same with the file's name alone.
  var shortText: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return SourceReference(file: name, line: line).text
  }
}
