import Foundation
import Testing

/// The recipe of one job, with a reporter that is downloaded.
///
/// It tests Examples as the others do, so it belongs to their suite, whose tests take turns.
extension CITemplateTests {
  private static let recipe = "github-one-job.yml"

  @Test func oneJobHasAtMostThirtyLines() throws {
    let text = try String(contentsOfFile: Recipe.path(Self.recipe), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().count <= 30)
    #expect(try Recipe.read(Self.recipe)["jobs"]?.map.count == 1)
    let shown = try String(contentsOf: ThisPackage.file("docs/reporter.md"), encoding: .utf8)
    #expect(shown.contains("```yaml\n\(text)```\n"), "docs/reporter.md shows another recipe")
  }

  /// Its code is that of a pull request, too.
  @Test func oneJobMayWriteNothingAndOnlyTheDefaultBranchAddsToItsHistory() throws {
    let workflow = try Recipe.read(Self.recipe)
    #expect(workflow["on"]?.texts == ["push", "pull_request"])
    #expect(workflow["permissions"] == .map(["contents": .text("read")]))
    let job = try #require(workflow["jobs"]?["tests"])
    #expect(job["permissions"] == nil)
    let adding = "always() && env.HISTORY_ACCESS == 'add'"
    let steps = job["steps"]?.list ?? []
    let changing = steps.filter {
      $0["uses"]?.text?.hasPrefix("actions/cache/save@") == true || $0["run"]?.text?.contains("prune") == true
    }
    #expect(changing.map { $0["if"]?.text } == [adding, adding])
  }

  /// That tests fail stands in the exit code of their step, and keeps nothing from the page, the report, and the history.
  @Test func oneJobDownloadsTheReporterAndHasItsReportAndHistory() async throws {
    let workspace = try await CIWorkspace()
    try workspace.release(try archiveName())
    let run = try GitHubRun(ofOneJobFor: .push, in: workspace)
    #expect(run.statuses.values.flatMap { $0 }.sorted() == [0, 0, 1], "\(run.output)")
    #expect(run.statuses.contains { $0.key.contains(" test --history ") && $0.value == [1] })
    let report = "artifacts/test-report"
    #expect(try workspace.report(report).failed == CIWorkspace.failingTests())
    #expect(try !workspace.report(report).degraded, "\(run.output)")
    #expect(try run.summary == workspace.service.read("\(report)/summary.md"))
    #expect(run.summary.contains("testTheTotalCountsEveryCopy"))
    #expect(try workspace.service.read("installed").contains(" curl "))
    let history = workspace.service("cache/test-history/history.sqlite")
    let told = try Command([try ThisPackage.program("reporter"), "history", "--history", history]).run()
    #expect(told.status == 0 && told.output.contains("· linux") && told.output.contains("Failing: "))
  }

  @Test func oneJobRunsNoReporterThatIsNotAsItsSumSays() async throws {
    let workspace = try await CIWorkspace()
    let name = try archiveName()
    try workspace.release(name)
    try workspace.service.write("another", to: "release/\(name)")
    let run = try GitHubRun(ofOneJobFor: .pullRequest, in: workspace)
    #expect(run.statuses.count == 1 && run.output.contains("FAILED"), "\(run.statuses)")
  }

  private func archiveName() throws -> String {
    let address = try #require(try Recipe.read(Self.recipe)["jobs"]?["tests"]?["env"]?["ARCHIVE"]?.text)
    return (address as NSString).lastPathComponent
  }
}
