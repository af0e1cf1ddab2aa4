import ArgumentParser
import Collector
import Foundation
import ReportModel
import ReportReading
import ReportRendering

struct CIOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Exit with 1 when there is one of these: failed, crashed, unfinished, flaky, degraded; several with commas.
      """, valueName: "conditions"),
    transform: Self.conditions)
  var failOn: Set<Condition> = []

  @Option(
    help: ArgumentHelp("Exit with 1 when more tests failed, crashed or did not end.", valueName: "count"))
  var maxFailures: Int?

  @Option(
    help: ArgumentHelp("Exit with 1 when fewer tests ran; skipped ones do not count.", valueName: "count"))
  var minTests: Int?

  @Option(help: ArgumentHelp("Exit with 1 when one test took longer.", valueName: "seconds"))
  var maxDuration: Double?

  @Option(
    help: ArgumentHelp(
      """
      Annotations at the failing lines: github prints commands, gitlab writes codequality.json, none neither (default: \
      that of the CI that runs it).
      """, valueName: "form"))
  var annotations: AnnotationForm?

  @Flag(help: "Show values of databases' rows in summary, comment and annotations, as pages do.")
  var valuesInComment = false

  @Flag(name: .customLong("no-step-summary"), help: "Do not append the summary to $GITHUB_STEP_SUMMARY.")
  var noStepSummary = false

  @Option(
    help: ArgumentHelp(
      "Keep summary.md below this size, at least 1000 (default and most: 921600).", valueName: "bytes"))
  var summaryLimit: Int?

  @Option(
    help: ArgumentHelp(
      "The repository that source links lead to, as owner/name or URL (default: what the CI says).",
      valueName: "repository"))
  var repository: String?

  @Option(help: ArgumentHelp("The commit that source links lead to (default: what the CI or the run says)."))
  var commit: String?

  @Option(
    name: .customLong("report-url"), help: ArgumentHelp("Where the report will be found.", valueName: "url"))
  var reportURL: String?

  @Option(
    help: ArgumentHelp("An earlier report.json: the summary tells what changed.", valueName: "report.json"))
  var baseline: String?

  enum AnnotationForm: String, ExpressibleByArgument, CaseIterable {
    case github, gitlab, none

    /// The one in which a process runs.
    ///
    /// Sources: GitHub's default environment variables, GitLab's predefined CI/CD variables.
    init(_ variable: (String) -> String?) {
      self =
        variable("GITHUB_ACTIONS") == "true" ? .github : variable("GITLAB_CI") == "true" ? .gitlab : .none
    }
  }

  mutating func validate() throws {
    for count in [maxFailures, minTests] {
      if let count, count < 0 { throw ValidationError("\(count) is less than 0.") }
    }
    if let summaryLimit, summaryLimit < 1000 {
      throw ValidationError("--summary-limit is at least 1000: less holds no summary.")
    }
    if let maxDuration, !(maxDuration >= 0) { throw ValidationError("\(maxDuration) is no duration.") }
    if let repository, Repository(repository, commit: nil) == nil {
      throw ValidationError("--repository takes owner/name or a URL; \(printedLine(repository)) is neither.")
    }
    if let reportURL, !reportURL.hasPrefix("https://") && !reportURL.hasPrefix("http://") {
      throw ValidationError("--report-url takes a URL that begins with https:// or http://.")
    }
  }

  /// - Parameter root: The absolute folder in which the sources' paths begin.
  func summary(
    runs: [Report.Run], root: String = "", _ remarks: inout Remarks, variable: (String) -> String?
  ) -> SummaryOptions {
    let ci = Repository.ofCI(variable)
    let commit = commit ?? ci.commit ?? runs.last?.commit
    var summary = SummaryOptions()
    summary.limit = min(summaryLimit ?? .max, SummaryOptions.mostBytes)
    summary.repository = (repository ?? ci.url).flatMap {
      Repository($0, commit: commit, gitLab: ci.gitLab)
    }
    // Places are below the package, which may be a folder of the checkout.
    if let checkout = ci.checkout.map(SourceRoot.init(path:)), checkout.relative(root) != root {
      summary.repository?.folder = checkout.relative(root) + "/"
    }
    (summary.jobLink, summary.showsValues) = (CIJob.link(variable), valuesInComment)
    summary.reportURL = reportURL.map { url in
      String(url.reversed().drop { $0 == "/" }.reversed())
    }
    guard let baseline else { return summary }
    do throws(Baseline.ReadingError) {
      summary.baseline = try Baseline(path: baseline)
    } catch {
      remarks.fault(.unreadableInput, "\(error)", input: baseline)
    }
    return summary
  }

  private static func conditions(_ text: String) throws -> Set<Condition> {
    let words = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    let conditions = try words.map { word in
      guard let condition = Condition(rawValue: word) else {
        let known = Condition.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("\(printedLine(word)) is none of \(known).")
      }
      return condition
    }
    return Set(conditions)
  }
}
