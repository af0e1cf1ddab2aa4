import Collector
import ReportModel
import ReportPlaces
import ReportStory

/// The most useful failures as GitHub's workflow commands, which it shows at their lines.
///
/// Source: GitHub's documentation of workflow commands; a step shows ten of them.
package struct GitHubAnnotations {
  private static let maximumCount = 10
  private static let maximumLength = 2000

  private let report: Report
  private let stories: [TestCaseID: Story]

  /// - Parameter contents: The report, and what failed tests did to their databases.
  package init(_ contents: ReportContents) {
    (report, stories) = (contents.report, contents.stories)
  }

  /// One command a line: what crashed before what failed, and one of alike failures before any second.
  package var lines: [String] {
    let failures = report.tests.filter(\.outcome.isFailure)
    var seen: Set<FailureSignature> = []
    let ranked = failures.map { test in
      let isRepeated = !seen.insert(FailureSignature(of: test)).inserted
      return (rank: [test.outcome.severity, isRepeated ? 1 : 0], test: test)
    }
    // Sorting is stable: what is equal stays in the order of the report.
    let sorted = ranked.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }
    return sorted.prefix(Self.maximumCount).map { line(for: $0.test) }
  }

  private func line(for test: TestResult) -> String {
    let issue = test.issues.first(where: \.isFailure)
    let location = issue?.location ?? test.location
    var properties = location.map { ["file=\(escapedProperty($0.file))"] } ?? []
    if let line = location?.line { properties.append("line=\(line)") }
    properties.append("title=\(escapedProperty("\(test.id) \(test.outcome.rawValue)"))")
    let message = shortened(issue?.message ?? "The test \(test.outcome.rawValue).", to: Self.maximumLength)
    let lines = [message] + places(of: test, issue)
    return
      "::error \(properties.joined(separator: ","))::\(escaped(lines.joined(separator: "\n")))"
  }

  /// What is known of the code beside the line of the failure, in sentences.
  private func places(of test: TestResult, _ issue: TestIssue?) -> [String] {
    let failing = FailingPlace(of: test, in: stories[test.id])
    return [
      issue?.placeNote.map { "The line is known \($0)." },
      failing.map { $0.sentence + "." },
    ].compactMap { $0 }
  }

  /// Every line break must go: a command in a message would be obeyed.
  private func escaped(_ text: String) -> String {
    let shown = withoutLoggingCommands(visible(text.replacing("\r\n", with: "\n")))
    return shown.replacing("%", with: "%25").replacing("\n", with: "%0A")
  }

  private func escapedProperty(_ text: String) -> String {
    escaped(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
