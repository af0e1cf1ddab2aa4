import Collector
import ExhibitSystem
import ReportModel
import ReportStory

/// Failures as annotations of GitHub and GitLab.
package struct Annotations {
  /// GitHub shows ten per step.
  private static let mostCommands = 10
  /// GitLab shows more, collapsed.
  private static let mostEntries = 1000
  private static let longestMessage = 2000

  private let contents: ReportContents
  private let names: PageNames

  package init(_ context: PageContext) {
    (contents, names) = (context.contents, context.names)
  }

  // MARK: - GitHub

  /// GitHub's workflow commands, one per line.
  ///
  /// Source: GitHub's documentation of workflow commands.
  package var commands: [String] { leading(Self.mostCommands).map(command) }

  private func command(for test: TestResult) -> String {
    let place = ToldFailure(test: test, contents: contents).place.map(contents.summary.inRepository)
    var properties = place.map { ["file=\(escapedProperty($0.file))"] } ?? []
    if let line = place?.line { properties.append("line=\(line)") }
    properties.append("title=\(escapedProperty("\(test.id) \(test.outcome.rawValue)"))")
    return "::error \(properties.joined(separator: ","))::\(escaped(text(of: test)))"
  }

  /// Line breaks are escaped, since GitHub would obey a command in a message.
  private func escaped(_ text: String) -> String {
    let shown = withoutLoggingCommands(visible(text.replacing("\r\n", with: "\n")))
    return shown.replacing("%", with: "%25").replacing("\n", with: "%0A")
  }

  private func escapedProperty(_ text: String) -> String {
    escaped(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }

  // MARK: - GitLab

  /// `codequality.json`, GitLab's code quality report, with failures in the repository.
  ///
  /// Source: GitLab's documentation “Code Quality”.
  package var codeQuality: ReportFile {
    let entries = leading(Self.mostEntries).compactMap {
      test -> (test: TestResult, place: SourceReference)? in
      let place = ToldFailure(test: test, contents: contents).place.map(contents.summary.inRepository)
      return place.flatMap { relativeLink(to: $0.file) == nil ? nil : (test, $0) }
    }
    var json = JSONText()
    json.objects(nil, entries) { json, entry in
      let (test, place) = entry
      json.member("check_name", "test")
      json.member("description", visibleOnOneLine("\(test.id): \(text(of: test))"))
      json.member("fingerprint", StableHash(test.id.description).hexadecimal)
      json.object("location") { json in
        json.object("lines") { $0.member("begin", place.line ?? 1) }
        json.member("path", place.file)
      }
      json.member("severity", "major")
    }
    return ReportFile(path: "codequality.json", contents: json.take())
  }

  // MARK: - Both

  /// Crashes first; repeated failures last.
  private func leading(_ most: Int) -> [TestResult] {
    var seen: Set<FailureSignature> = []
    let ranked = contents.report.tests.filter(\.outcome.isFailure).map { test in
      let isRepeated = !seen.insert(FailureSignature(of: test, contents.stories[test.id])).inserted
      return (rank: [test.outcome.severity, isRepeated ? 1 : 0], test: test)
    }
    // Stable sorting keeps the report's order.
    let sorted = ranked.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }
    return sorted.prefix(most).map(\.test)
  }

  private func text(of test: TestResult) -> String {
    let told = ToldFailure(test: test, contents: contents)
    let issue = test.leadingIssue.flatMap { $0.isFailure ? $0 : nil }
    return [
      shortened(
        issue?.message ?? remark(on: test) ?? "The test \(test.outcome.rawValue).", to: Self.longestMessage),
      issue?.placeNote.map { "The line is known \($0)." },
      told.why.map { "Why (\($0.certainty)): \(shortened($0.pieces.text, to: 500))" },
      told.failing.map { $0.sentence + "." },
      contents.summary.link(toPageOf: test, names),
    ].compactMap { $0 }.joined(separator: "\n")
  }
}
