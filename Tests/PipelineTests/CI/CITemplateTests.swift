import Foundation
import Testing

/// The templates in `ci/` do what they promise: their shell commands are run as they stand, in Examples.
@Suite(.serialized) struct CITemplateTests {
  /// Installing packages is left to the machine that runs these tests.
  private func githubSteps() throws -> [CIStep] {
    let steps = try CITemplate("github.yml").githubSteps()
    #expect(
      steps.map(\.name) == [
        "", "Keep the build", "Restore the history", "Install SQLite and libarchive", "Test", "Report",
        "Keep the history small", "Save the history", "Upload the report",
      ])
    return steps.filter { $0.name != "Install SQLite and libarchive" && !$0.isForAdding }
  }

  private func gitlabSteps() throws -> [CIStep] {
    let template = try CITemplate("gitlab.yml")
    let artifacts = try template.block("artifacts:").map(\.text)
    #expect(artifacts.contains("when: always"))
    let paths = try template.items("paths:")
    let script = CIStep(name: "script", script: try template.items("script:").joined(separator: "\n"))
    return [script]
      + paths.map {
        CIStep(name: "artifacts", isUnconditional: true, action: "actions/upload-artifact@", path: $0)
      }
  }

  /// Takes its last line from a log of the run that was made last, as if its process had died.
  private func cutLog() throws {
    let runs = ThisPackage.file("Examples/test-artifacts/runs")
    let names = try FileManager.default.contentsOfDirectory(atPath: runs.path).sorted()
    let logs = runs.appendingPathComponent(try #require(names.last)).appendingPathComponent("logs")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: logs.path).sorted().first)
    let log = logs.appendingPathComponent(name)
    let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    #expect(lines.last?.contains("processFinished") == true)
    try Data((lines.dropLast().joined(separator: "\n") + "\n").utf8).write(to: log)
  }

  @Test func githubReportsTestsThatFail() throws {
    let job = try CIJobRun(try githubSteps())
    #expect(job.statuses == ["Test": 1, "Report": 0])
    #expect(job.uploads == ["test-artifacts/report"])
    #expect(try job.report().failed == job.failingTests())
    #expect(try !job.report().degraded)
    try expectTheSummaryOnce(job)
  }

  @Test func githubUploadsADegradedReport() throws {
    let job = try CIJobRun(try githubSteps()) { step in
      if step == "Report" { try cutLog() }
    }
    #expect(job.statuses == ["Test": 1, "Report": 3])
    #expect(job.uploads == ["test-artifacts/report"])
    #expect(try job.report().degraded)
    try expectTheSummaryOnce(job)
  }

  private func expectTheSummaryOnce(_ job: CIJobRun) throws {
    let file = job.folder.appendingPathComponent("test-artifacts/report/summary.md")
    #expect(try job.summary == String(contentsOf: file, encoding: .utf8))
    #expect(job.summary.contains("OrderTests/testTheTotalCountsEveryCopy"))
  }

  @Test func gitlabReportsTestsThatFail() throws {
    let job = try CIJobRun(try gitlabSteps())
    #expect(job.statuses == ["script": 1])
    #expect(job.uploads == ["test-artifacts/report"])
    #expect(try job.report().failed == job.failingTests())
    let junit = job.folder.appendingPathComponent("test-artifacts/report/junit.xml")
    #expect(FileManager.default.fileExists(atPath: junit.path))
  }

  @Test func bothKeepTheBuildForTheNextJob() throws {
    #expect(try CITemplate("github.yml").githubSteps().compactMap(\.cache) == [".build"])
    #expect(try CITemplate("gitlab.yml").block("cache:").map(\.text).contains("- .build"))
  }

  @Test func theDefaultBranchAloneAddsToTheHistory() throws {
    let steps = try CITemplate("github.yml").githubSteps()
    #expect(steps.compactMap(\.restored) == ["test-history"])
    #expect(steps.filter(\.isForAdding).compactMap(\.saved) == ["test-history"])
    #expect(steps.allSatisfy { $0.saved == nil || $0.isForAdding })
    let gitlab = try CITemplate("gitlab.yml")
    #expect(try gitlab.block("cache:").map(\.text).contains("policy: $HISTORY_POLICY"))
    #expect(try gitlab.block("variables:").map(\.text).contains("HISTORY_POLICY: pull"))
    #expect(
      try gitlab.block("workflow:").map(\.text).prefix(5) == [
        "rules:", "- if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH", "variables:", "HISTORY_ACCESS: add",
        "HISTORY_POLICY: pull-push",
      ])
  }

  @Test func aRunThatAddsIsThereForTheNextOne() throws {
    let folder = ThisPackage.file("Examples/test-history").path
    let steps = try CITemplate("github.yml").githubSteps().filter {
      $0.name != "Install SQLite and libarchive"
    }
    let job = try CIJobRun(steps, adding: true)
    #expect(job.statuses == ["Test": 1, "Report": 0, "Keep the history small": 0])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["history.sqlite"])
    let history = try Command(
      [try ThisPackage.program("reporter"), "history", "--history", folder + "/history.sqlite"]).run()
    #expect(history.output.contains("· linux"))
    #expect(history.output.contains("Failing: "))
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func bothInstallWhatABuildNeeds() throws {
    let github = try CITemplate("github.yml").githubSteps().compactMap(\.script)
    let gitlab = try CITemplate("gitlab.yml").items("before_script:")
    for script in [github, gitlab] {
      let install = script.filter { $0.contains("apt-get install") }
      #expect(install.count == 1)
      for package in ["libsqlite3-dev", "libarchive13"] {
        #expect(install.allSatisfy { $0.contains(" \(package)") })
      }
    }
  }
}
