import Foundation
import FoundationXML
import Testing

/// The recipes in `ci/` do what they promise: their shell lines are run as they stand, in Examples, with stand-ins for what
/// is the services' own.
@Suite(
  .serialized,
  .enabled(
    if: Recipe.canBeRead, "needs the Python package check-jsonschema, which ci/setup installs")
)
struct CITemplateTests {
  private static let report = "artifacts/test-report"

  // MARK: - What they are

  @Test(arguments: [
    ("github.yml", "vendor.github-workflows"), ("github-one-job.yml", "vendor.github-workflows"),
    ("gitlab.yml", "vendor.gitlab-ci"),
  ])
  func theServiceKnowsEveryKey(name: String, schema: String) throws {
    let result = try Command([
      ThisPackage.python, "-m", "check_jsonschema", "--builtin-schema", schema, Recipe.path(name),
    ]).run()
    #expect(result.status == 0, "\(result.output)")
  }

  /// What a pull request's own code runs with may write nothing, and what may write runs no code of it.
  @Test func onlyTheCommentMayBeWritten() throws {
    let workflow = try Recipe.read("github.yml")
    #expect(workflow["on"]?.texts == ["push", "pull_request"])
    #expect(workflow["permissions"] == .map(["contents": .text("read")]))
    for (name, job) in workflow["jobs"]?.map ?? [:] {
      let actions = job["steps"]?.list.compactMap { $0["uses"]?.text } ?? []
      let checksOut = actions.contains { $0.hasPrefix("actions/checkout@") }
      #expect(checksOut == ["tests", "report"].contains(name))
      #expect(job["permissions"] == (name == "comment" ? .map(["pull-requests": .text("write")]) : nil))
    }
    let comment = try #require(try Recipe.read("gitlab.yml")["comment"])
    #expect(comment["variables"]?["GIT_STRATEGY"]?.text == "none")
    #expect(
      comment["rules"]?.list.compactMap { $0["if"]?.text }.allSatisfy {
        $0.hasSuffix("&& $REPORT_COMMENT_TOKEN")
      } == true)
  }

  @Test func asManyShardsAsMachines() throws {
    let github = try Recipe.read("github.yml")
    let matrix = github["jobs"]?["tests"]?["strategy"]?["matrix"]?["shard"]?.texts
    #expect(matrix == (1...4).map { "\($0)" } && github["env"]?["SHARDS"]?.text == "4")
    let gitlab = try Recipe.read("gitlab.yml")
    #expect(gitlab["tests"]?["parallel"]?.text == "4" && gitlab["variables"]?["SHARDS"]?.text == "4")
  }

  @Test func theDefaultBranchAloneAddsToTheHistory() throws {
    let github = try Recipe.read("github.yml")
    for (name, job) in github["jobs"]?.map ?? [:] {
      let steps = job["steps"]?.list ?? []
      for step in steps where step["uses"]?.text?.hasPrefix("actions/cache/save@") == true {
        #expect(name == "report" && step["if"]?.text == "always() && env.HISTORY_ACCESS == 'add'")
      }
    }
    let gitlab = try Recipe.read("gitlab.yml")
    #expect(gitlab["variables"]?["HISTORY_POLICY"]?.text == "pull")
    let first = try #require(gitlab["workflow"]?["rules"]?.list.first)
    #expect(first["if"]?.text == "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH")
    #expect(
      first["variables"] == .map(["HISTORY_ACCESS": .text("add"), "HISTORY_POLICY": .text("pull-push")]))
    func policies(_ job: String) -> [String?] {
      gitlab[job]?["cache"]?.list.filter { $0["key"]?.text == "test-history" }.map { $0["policy"]?.text }
        ?? []
    }
    #expect(policies("history") == ["pull"] && policies("report") == ["$HISTORY_POLICY"])
  }

  /// Else a shard that starts later, or runs again, would take another part of the tests.
  @Test func allShardsOfARunHaveOneHistory() throws {
    let github = try Recipe.read("github.yml")["jobs"]
    let actions = github?["tests"]?["steps"]?.list.filter { $0["with"]?["path"]?.text == "test-history" }
    #expect(actions?.compactMap { $0["uses"]?.text } == ["actions/download-artifact@v8"])
    #expect(github?["tests"]?["needs"]?.text == "history")
    // A cache is found where it is packed as where it was saved.
    #expect(github?["history"]?["container"] == github?["report"]?["container"])
    let gitlab = try Recipe.read("gitlab.yml")
    #expect(gitlab["tests"]?["needs"]?.texts == ["history"])
    #expect(gitlab[".swift"]?["cache"]?.list.compactMap { $0["key"]?.text } == ["build-$CI_COMMIT_REF_SLUG"])
  }

  @Test func allInstallWhatABuildNeedsAndKeepIt() throws {
    let github = try Recipe.read("github.yml")["jobs"]
    let gitlab = try Recipe.read("gitlab.yml")[".swift"]
    var scripts = ["tests", "report"].compactMap { job in
      github?[job]?["steps"]?.list.compactMap { $0["run"]?.text }.first { $0.contains("apt-get install") }
    }
    scripts += gitlab?["before_script"]?.texts.filter { $0.contains("apt-get install") } ?? []
    scripts += try Recipe.shellLines(ofJenkinsfile: "Jenkinsfile").filter { $0.contains("apt-get install") }
    #expect(scripts.count == 4)
    for package in ["libsqlite3-dev", "libarchive13"] {
      #expect(scripts.allSatisfy { $0.contains(" \(package)") })
    }
    let kept = github?["tests"]?["steps"]?.list.first { $0["name"]?.text == "Keep the build" }
    #expect(kept?["with"]?["path"]?.text == ".build")
    #expect(gitlab?["cache"]?.list.first?["paths"]?.texts == [".build"])
  }

  // MARK: - GitHub, from start to end

  /// Also of a fork, whose report says that a shard left nothing.
  @Test func aPullRequestHasOneReportOnAllShardsAndOneComment() async throws {
    let workspace = try await CIWorkspace()
    var run = try GitHubRun(.pullRequest, in: workspace, shards: 2)
    #expect(run.statuses["report/Report"] == [0] && run.statuses["comment/Comment"] == [0], "\(run.output)")
    #expect(run.statuses["tests/Test"]?.contains(1) == true)
    let report = try workspace.report(Self.report)
    #expect(try report.failed == CIWorkspace.failingTests() && !report.degraded)
    #expect(
      try workspace.service.read("installed").split(separator: "\n").count { $0.contains("libsqlite3-dev") }
        == 3)
    try expectTheReportEverywhere(run)
    // The next run writes into the same comment, also when all is well.
    let first = try #require(workspace.comments().first)
    try workspace.service.write(
      first.split(separator: "\n")[0] + "\n### ✓ All 59 tests passed\n",
      to: "artifacts/test-comment/comment.md")
    let comment = try Recipe.read("github.yml")["jobs"]?["comment"]?["steps"]?.list.last?["run"]?.text
    try workspace.copy(
      workspace.service("artifacts/test-comment/comment.md"), to: workspace.service("job/comment.md"))
    let variables = [
      "GH_TOKEN": "token-of-the-job", "GITHUB_REPOSITORY": "o/n", "PULL_REQUEST": "7", "REPORT_FILE": "",
    ]
    let again = try workspace.shell(try #require(comment), in: workspace.service("job"), variables)
    #expect(again.status == 0, "\(again.output)")
    let comments = try workspace.comments()
    #expect(comments.count == 1 && comments[0].contains("All 59 tests passed"))
    try expectThatAMissingShardIsSaidAndThatForksHaveNoComment(&run)
  }

  private func expectThatAMissingShardIsSaidAndThatForksHaveNoComment(_ run: inout GitHubRun) throws {
    let (calls, comments) = (try run.workspace.calls(), try run.workspace.comments())
    try FileManager.default.removeItem(atPath: run.workspace.service("artifacts/shard-2"))
    try run.report(as: .pullRequestOfFork)
    #expect(run.statuses["report/Report"] == [3] && run.statuses["comment/Comment"] == nil)
    #expect(try run.workspace.report(Self.report).degraded)
    #expect(try run.workspace.calls() == calls && run.workspace.comments() == comments)
    #expect(run.summary.contains("**This report is incomplete: "))
  }

  private func expectTheReportEverywhere(_ run: GitHubRun) throws {
    let workspace = run.workspace
    let comments = try workspace.comments()
    #expect(comments.count == 1)
    let comment = try #require(comments.first)
    #expect(comment.hasPrefix("<!-- exhibit report: Examples -->\n### ✗ "))
    #expect(comment.hasSuffix(" [In one file](https://github.com/o/n/actions/runs/9/artifacts/3).\n"))
    #expect(comment.split(separator: "\n", omittingEmptySubsequences: false).count <= 26)
    #expect(try run.summary == workspace.service.read("\(Self.report)/summary.md"))
    #expect(run.summary.contains("OrderTests/testTheTotalCountsEveryCopy"))
    let annotations = run.output.split(separator: "\n").filter { $0.hasPrefix("::error ") }
    #expect(annotations.count == 10)
    for line in annotations { #expect(line.hasPrefix("::error file=Examples/Tests/"), "\(line)") }
    #expect(try workspace.service.read("artifacts/report.html").contains("testTheTotalCountsEveryCopy"))
  }

  @Test(.enabled(if: LongTests.areAsked, "EXHIBIT_LONG_TESTS=1"))
  func aRunThatAddsIsThereForTheNextOneAndAShardThatRunsAgainHasItsPart() async throws {
    let workspace = try await CIWorkspace()
    var run = try GitHubRun(.push, in: workspace, shards: 2)
    #expect(run.statuses["report/Report"] == [0] && run.statuses["report/Keep the history small"] == [0])
    let history = workspace.service("cache/test-history")
    #expect(try FileManager.default.contentsOfDirectory(atPath: history) == ["history.sqlite"])
    let told = try Command(
      [try ThisPackage.program("reporter"), "history", "--history", history + "/history.sqlite"]
    ).run()
    #expect(told.output.contains("· linux") && told.output.contains("Failing: "))
    // The history has durations now.
    try run.rerun(shard: 2)
    #expect(
      try run.statuses["report/Report"] == [0, 0] && !workspace.report(Self.report).degraded, "\(run.output)")
  }

  // MARK: - GitLab and Jenkins

  @Test func aMergeRequestHasOneReportOnAllShardsAndOneComment() async throws {
    let workspace = try await CIWorkspace()
    let run = try GitLabRun(in: workspace, shards: 2, adding: false)
    #expect(run.statuses["report"] == [0] && run.statuses["comment"] == [0], "\(run.output)")
    #expect(run.statuses["tests"]?.contains(1) == true)
    let folder = "artifacts/test-artifacts/report"
    #expect(try workspace.report(folder).failed == CIWorkspace.failingTests())
    let quality = try workspace.service.read("\(folder)/codequality.json")
    #expect(quality.contains(#""path":"Examples/Tests/BookshopTests/OrderTests.swift""#))
    #expect(try workspace.service.read("\(folder)/junit.xml").contains("testTheTotalCountsEveryCopy"))
    let comments = try workspace.comments()
    #expect(comments.count == 1)
    let comment = try #require(comments.first)
    #expect(comment.hasPrefix("<!-- exhibit report: Examples -->\n### ✗ "))
    #expect(
      comment.contains(
        "(<https://gitlab.example.org/o/n/-/jobs/9/artifacts/file/test-artifacts/report/tests/"))
    let api = "https://gitlab.example.org/api/v4"
    let notes = "\(api)/projects/11/merge_requests/7/notes"
    let asked = ["GET \(api)/user", "GET \(notes)?sort=asc&per_page=100&page=1"]
    #expect(try workspace.calls() == asked + ["POST \(notes)"])
    // The next one writes into the same.
    let script = try Recipe.read("gitlab.yml")["comment"]?["script"]?.texts.joined(separator: "\n")
    let variables = [
      "CI_API_V4_URL": api, "CI_PROJECT_ID": "11", "CI_MERGE_REQUEST_IID": "7",
      "REPORT_COMMENT_TOKEN": "token-of-the-project",
    ]
    let again = try workspace.shell(try #require(script), in: workspace.service("artifacts"), variables)
    #expect(try again.status == 0 && workspace.comments().count == 1, "\(again.output)")
    #expect(try workspace.calls().suffix(3) == asked + ["PUT \(notes)/100"])
  }

  @Test func aCommentIsFoundBehindHundredsOfNotes() async throws {
    let workspace = try await CIWorkspace()
    let marker = "<!-- exhibit report: Examples -->"
    let others = (0..<230).map { #"{"id": \#($0), "author": {"id": 3}, "body": "\#(marker)"}"# }
    let ours = #"{"id": 999, "author": {"id": 5}, "body": "\#(marker) earlier"}"#
    try workspace.service.write("[\((others + [ours]).joined(separator: ","))]", to: "comments.json")
    try workspace.service.write(
      "\(marker)\n### ✗ 1 test failed\n", to: "artifacts/test-artifacts/report/comment.md")
    let comment = try #require(try Recipe.read("gitlab.yml")["comment"])
    let variables = [
      "CI_API_V4_URL": "https://gitlab.example.org/api/v4", "CI_PROJECT_ID": "11",
      "CI_MERGE_REQUEST_IID": "7",
      "REPORT_COMMENT_TOKEN": "token-of-the-project",
    ]
    let result = try workspace.shell(
      try #require(comment["script"]?.texts.joined(separator: "\n")), in: workspace.service("artifacts"),
      variables)
    #expect(
      try result.status == 0 && workspace.calls().last?.hasSuffix("/notes/999") == true, "\(result.output)")
    #expect(try workspace.comments().count == 231 && workspace.comments()[230].contains("1 test failed"))
    // Two pipelines of one merge request take turns.
    #expect(comment["resource_group"]?.text == "comment-$CI_MERGE_REQUEST_IID")
  }

  @Test(arguments: ["github.yml", "gitlab.yml"], ["\n### ✗ 1 test failed\n", "<\n### ✗ 1 test failed\n"])
  func aCommentThatDoesNotBeginAsOursReplacesNone(recipe: String, text: String) async throws {
    let workspace = try await CIWorkspace()
    let other =
      #"[{"id": 9, "author": {"id": 5}, "user": {"login": "github-actions[bot]"}, "body": "<b>Coverage</b>"}]"#
    try workspace.service.write(other, to: "comments.json")
    let gitlab = try Recipe.read(recipe)["comment"]?["script"]?.texts.joined(separator: "\n")
    let github = try Recipe.read(recipe)["jobs"]?["comment"]?["steps"]?.list.last?["run"]?.text
    for file in ["artifacts/test-artifacts/report/comment.md", "artifacts/comment.md"] {
      try workspace.service.write(text, to: file)
    }
    let variables = [
      "CI_API_V4_URL": "https://gitlab.example.org/api/v4", "CI_PROJECT_ID": "11",
      "CI_MERGE_REQUEST_IID": "7", "REPORT_COMMENT_TOKEN": "t",
      "GH_TOKEN": "token-of-the-job", "GITHUB_REPOSITORY": "o/n", "PULL_REQUEST": "7", "REPORT_FILE": "",
    ]
    let result = try workspace.shell(
      try #require(github ?? gitlab), in: workspace.service("artifacts"), variables)
    #expect(try result.status == 1 && workspace.comments() == ["<b>Coverage</b>"], "\(result.output)")
  }

  @Test(.enabled(if: LongTests.areAsked, "EXHIBIT_LONG_TESTS=1"))
  func aShardThatIsRetriedHasItsPart() async throws {
    let workspace = try await CIWorkspace()
    var run = try GitLabRun(in: workspace, shards: 2, adding: true)
    try run.rerun(shard: 2)
    #expect(run.statuses["report"] == [0, 0], "\(run.output)")
    #expect(try !workspace.report("artifacts/test-artifacts/report").degraded)
  }

  @Test func jenkinsShowsTheTestsThatFail() async throws {
    let workspace = try await CIWorkspace()
    try workspace.clean()
    let results = try Recipe.shellLines(ofJenkinsfile: "Jenkinsfile").map { lines in
      try workspace.shell(
        lines, in: CIWorkspace.package.path,
        [
          "BUILD_URL": "https://jenkins.example.org/job/n/9/",
          "EXPLAIN_SECONDS": "\(CIWorkspace.explainSeconds)",
        ])
    }
    #expect(results.map(\.status) == [0, 1])
    let folder = CIWorkspace.package.appendingPathComponent("test-artifacts/report")
    let junit = try XMLDocument(contentsOf: folder.appendingPathComponent("junit.xml"))
    let failed = try junit.nodes(forXPath: "//testcase[failure]")
    #expect(try ReportJSON(in: folder.path).document.tests.count { $0.outcome == "failed" } == failed.count)
    #expect(
      try failed.count > 10 && junit.nodes(forXPath: "//testcase[not(@classname) or not(@name)]").isEmpty)
    let comment = try String(contentsOf: folder.appendingPathComponent("comment.md"), encoding: .utf8)
    #expect(comment.contains("(<https://jenkins.example.org/job/n/9/artifact/test-artifacts/report/tests/"))
  }
}
