import Collector
import ReportInspection
import ReportModel

extension TestResult {
  /// Its display name, or else its name.
  var title: String { self.displayName ?? id.name }

  /// Of the failure; a crash first, then the others as they came.
  var issuesToTell: [TestIssue] {
    let issues = issuesOfFailure
    return issues.filter(\.isCrash) + issues.filter { !$0.isCrash }
  }

  /// The crash, or the first failure, or else the first issue.
  var leadingIssue: TestIssue? {
    self.issues.first(where: \.isCrash) ?? self.issues.first(where: \.isFailure) ?? self.issues.first
  }

  /// Why it ended so, on one line.
  ///
  /// - Parameter sources: Source lines of issues.
  func remarkInList(_ sources: [SourceReference: SourceExcerpt]) -> String? {
    guard outcome != .skipped else { return self.skipReason.map(glance) }
    if isPlain { return nil }
    guard let issue = leadingIssue else { return flakyRemark }
    let text = issue.message
    switch outcome {
    case .passed where isFlaky: return flakyRemark
    case .passed: return (issue.severity == .warning ? "Warning: " : "") + glance(issue, sources)
    // A known issue's second line says more.
    case .knownIssue: return glance(textLines(of: text).prefix(2).joined(separator: " — "))
    case .crashed, .failed, .unfinished, .skipped: return glance(issue, sources)
    }
  }

  private var flakyRemark: String? {
    isFlaky ? glance("Failed before: \(failureBefore ?? "no input tells why")") : nil
  }

  /// The message of its first failed attempt.
  var failureBefore: String? {
    let failed = self.attempts.first(where: \.outcome.isFailure)
    return failed?.issues.first(where: \.isFailure).map { glance($0.message) }
  }

  /// Values for template `name`.
  var nameValues: TemplateValues {
    [
      "title": visibleOnOneLine(shortened(title, to: longestTitle)),
      "function": self.displayName == nil ? nil : visibleOnOneLine(shortened(id.name, to: longestTitle)),
      "argument": id.argument.map { visibleOnOneLine(shortened($0.description, to: longestTitle)) },
      "repetition": id.argument?.repetition.map(String.init),
    ]
  }

  /// The full identity, if headings cut it.
  var fullNameIfCut: String? {
    let parts = [title, id.name, id.argument?.description ?? ""]
    return parts.contains { $0.unicodeScalars.count > longestTitle } ? visibleOnOneLine(id.description) : nil
  }
}

private let longestTitle = 200

extension TestCaseID {
  var path: [String] { [module] + suite }

  var suiteTitle: String? { suite.isEmpty ? nil : suite.joined(separator: " / ") }
}

extension SourceReference {
  var text: String { line.map { "\(file):\($0)" } ?? file }

  /// `File.swift:42`.
  var shortText: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return SourceReference(file: name, line: line).text
  }
}
