import Foundation

/// A run of `ci/github.yml` or `ci/github-one-job.yml`: its shell lines are run as they stand, its actions and expressions are told here.
struct GitHubRun {
  /// What the run is for.
  enum Event { case pullRequest, pullRequestOfFork, push }

  let workspace: CIWorkspace
  private var event: Event
  private let shards: Int
  private let workflow: RecipeValue
  /// What each step with shell lines returned, by job and name, in each shard.
  private(set) var statuses: [String: [Int32]] = [:]
  private(set) var output = ""
  /// What GitHub shows on the report job's page.
  private(set) var summary = ""
  private var outputs: [String: String] = [:]

  /// - Parameter shards: How many there are, instead of the recipe's number.
  init(_ event: Event, in workspace: CIWorkspace, shards: Int) throws {
    (self.event, self.workspace, self.shards) = (event, workspace, shards)
    workflow = try Recipe.read("github.yml")
    try run(["history", "tests", "report", "comment"])
  }

  /// A run of the recipe of one job.
  init(ofOneJobFor event: Event, in workspace: CIWorkspace) throws {
    (self.event, self.workspace, shards) = (event, workspace, 1)
    workflow = try Recipe.read("github-one-job.yml")
    try run(["tests"])
  }

  /// Runs the jobs behind those of the tests once more, on what the shards left that are still there.
  mutating func report(as event: Event) throws {
    self.event = event
    (statuses, summary) = ([:], "")
    try run(["report", "comment"])
  }

  private mutating func run(_ names: [String]) throws {
    for name in names {
      let job = try job(name)
      guard try holds(job["if"]?.text, afterFailure: false) else { continue }
      let matrix = job["strategy"]?["matrix"]?["shard"] == nil ? [nil] : (1...shards).map { $0 as Int? }
      for shard in matrix { try run(name, job, shard) }
    }
  }

  /// Runs one shard again and what needs it, as “Re-run failed jobs” does.
  mutating func rerun(shard: Int) throws {
    try run("tests", job("tests"), shard)
    try run("report", job("report"), nil)
  }

  private func job(_ name: String) throws -> RecipeValue {
    guard let job = workflow["jobs"]?[name] else { throw UnknownPart(part: name) }
    return job
  }

  private mutating func run(_ name: String, _ job: RecipeValue, _ shard: Int?) throws {
    try workspace.clean()
    let steps = job["steps"]?.list ?? []
    let checksOut = steps.contains { $0["uses"]?.text?.hasPrefix("actions/checkout@") == true }
    let elsewhere = try TemporaryFolder()
    let folder = checksOut ? CIWorkspace.package.path : elsewhere.path
    var variables = self.variables
    for part in [workflow["env"], job["env"]] {
      for (key, value) in part?.map ?? [:] { variables[key] = try filled(value.text ?? "", shard) }
    }
    variables["SHARDS"] = "\(shards)"
    variables["EXPLAIN_SECONDS"] = "\(CIWorkspace.explainSeconds)"
    let temporary = try TemporaryFolder()
    variables["RUNNER_TEMP"] = temporary.path
    var hasFailed = false
    for step in steps where try holds(step["if"]?.text, afterFailure: hasFailed) {
      if let action = step["uses"]?.text {
        try perform(action, step, shard, in: folder)
      } else if let script = step["run"]?.text {
        let key = "\(name)/\(step["name"]?.text ?? script)"
        let pages = try TemporaryFolder()
        variables["GITHUB_STEP_SUMMARY"] = try pages.write("", to: "summary.md")
        let result = try workspace.shell(script, in: folder, variables)
        statuses[key, default: []].append(result.status)
        output += result.output
        summary += try pages.read("summary.md")
        hasFailed = hasFailed || result.status != 0
      } else {
        throw UnknownPart(part: "\(step)")
      }
    }
  }

  private var variables: [String: String] {
    [
      "GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "o/n", "GITHUB_SERVER_URL": "https://github.com",
      "GITHUB_RUN_ID": "9", "GITHUB_WORKSPACE": ThisPackage.folder.path,
      "GITHUB_SHA": "4f1c2d7e9b0a4c3d8e5f60718293a4b5c6d7e8f9",
    ]
  }

  // MARK: - Expressions

  private static let ofCommentJob =
    "${{ !cancelled() && github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository }}"

  private func holds(_ condition: String?, afterFailure: Bool) throws -> Bool {
    switch condition {
    case nil: !afterFailure
    case "always()", "${{ !cancelled() }}": true
    case "always() && env.HISTORY_ACCESS == 'add'": event == .push
    case Self.ofCommentJob: event == .pullRequest
    default: throw UnknownPart(part: condition ?? "")
    }
  }

  private func filled(_ text: String, _ shard: Int?) throws -> String {
    var filled = text
    for match in text.matches(of: #/\$\{\{ (.*?) \}\}/#) {
      filled = filled.replacing(match.0, with: try value(of: String(match.1), shard))
    }
    return filled
  }

  private func value(of expression: String, _ shard: Int?) throws -> String {
    switch expression {
    case "matrix.shard": shard.map { "\($0)" } ?? ""
    case "github.ref_name == github.event.repository.default_branch && 'add' || 'read'":
      event == .push ? "add" : "read"
    case "github.run_id": "9"
    case "github.run_attempt": "1"
    case "github.token": "token-of-the-job"
    case "github.event.pull_request.number": "7"
    // It is in no repository here: that is said, and the tests run.
    case "github.event.pull_request.base.sha":
      event == .push ? "" : "4f1c2d7e9b0a4c3d8e5f60718293a4b5c6d7e8f9"
    case "needs.report.outputs.file": outputs["file"] ?? ""
    default: throw UnknownPart(part: expression)
    }
  }

  // MARK: - Actions

  private mutating func perform(_ action: String, _ step: RecipeValue, _ shard: Int?, in folder: String)
    throws
  {
    let path = folder + "/" + (step["with"]?["path"]?.text ?? "")
    let isBuild = step["with"]?["path"]?.text == ".build"
    let cache = workspace.service("cache/test-history")
    switch action.prefix(while: { $0 != "@" }) {
    case "actions/checkout": break
    case "actions/cache" where isBuild, "actions/cache/restore" where isBuild: break
    case "actions/cache/restore": try workspace.copy(cache, to: path)
    case "actions/cache/save": try workspace.copy(path, to: cache)
    case "actions/upload-artifact" where step["with"]?["archive"]?.text == "false":
      try workspace.copy(path, to: workspace.service("artifacts/" + (path as NSString).lastPathComponent))
      outputs[step["id"]?.text ?? ""] = "https://github.com/o/n/actions/runs/9/artifacts/3"
    case "actions/upload-artifact":
      let name = try filled(step["with"]?["name"]?.text ?? "", shard)
      // A file lies in its artifact by its name.
      let isFile = !(path as NSString).pathExtension.isEmpty
      let file = isFile ? "/" + (path as NSString).lastPathComponent : ""
      try workspace.copy(path, to: workspace.service("artifacts/\(name)\(file)"))
    case "actions/download-artifact":
      let artifacts = workspace.service("artifacts")
      if let pattern = step["with"]?["pattern"]?.text {
        let names = try FileManager.default.contentsOfDirectory(atPath: artifacts)
        for name in names where name.hasPrefix(pattern.prefix { $0 != "*" }) {
          let isMerged = step["with"]?["merge-multiple"]?.text == "true"
          try workspace.copy("\(artifacts)/\(name)", to: isMerged ? path : "\(path)/\(name)")
        }
      } else if let name = step["with"]?["name"]?.text {
        for file in try FileManager.default.contentsOfDirectory(atPath: "\(artifacts)/\(name)") {
          try workspace.copy("\(artifacts)/\(name)/\(file)", to: "\(folder)/\(file)")
        }
      }
    default: throw UnknownPart(part: action)
    }
  }
}
