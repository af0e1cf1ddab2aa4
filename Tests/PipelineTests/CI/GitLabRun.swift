import Foundation

/// A pipeline of `ci/gitlab.yml`: its shell lines are run as they stand, what lies around them is told here.
struct GitLabRun {
  let workspace: CIWorkspace
  private let recipe: RecipeValue
  private let variables: [String: String]
  private let shards: Int
  /// What each job returned, in each shard.
  private(set) var statuses: [String: [Int32]] = [:]
  private(set) var output = ""

  /// - Parameters:
  ///   - shards: How many there are, instead of the recipe's number.
  ///   - adding: Whether it is on the default branch, which adds to the history; else it is of a merge request.
  init(in workspace: CIWorkspace, shards: Int, adding: Bool) throws {
    (self.workspace, self.shards) = (workspace, shards)
    recipe = try Recipe.read("gitlab.yml")
    let always = recipe["variables"]?.map.compactMapValues(\.text) ?? [:]
    let own = [
      "SHARDS": "\(shards)", "EXPLAIN_SECONDS": "\(CIWorkspace.explainSeconds)",
      "HISTORY_ACCESS": adding ? "add" : "read", "GITLAB_CI": "true",
      "CI_JOB_URL": "https://gitlab.example.org/o/n/-/jobs/9",
      "CI_API_V4_URL": "https://gitlab.example.org/api/v4",
      "CI_SERVER_URL": "https://gitlab.example.org", "CI_PROJECT_URL": "https://gitlab.example.org/o/n",
      "CI_PROJECT_ID": "11", "CI_MERGE_REQUEST_IID": "7", "REPORT_COMMENT_TOKEN": "token-of-the-project",
      "CI_COMMIT_SHA": "4f1c2d7e9b0a4c3d8e5f60718293a4b5c6d7e8f9",
      "CI_PROJECT_DIR": ThisPackage.folder.path,
    ]
    variables = always.merging(own) { $1 }
    for name in ["history", "tests", "report", "comment"] where !(name == "comment" && adding) {
      let isParallel = recipe[name]?["parallel"] != nil
      for shard in isParallel ? Array(1...shards) : [0] { try run(name, shard) }
    }
  }

  /// Runs one shard again and what needs it, as retrying the job and then the report does.
  mutating func rerun(shard: Int) throws {
    try run("tests", shard)
    try run("report", 0)
  }

  private mutating func run(_ name: String, _ shard: Int) throws {
    guard let job = recipe[name] else { throw UnknownPart(part: name) }
    let variables = variables.merging(["CI_NODE_INDEX": "\(shard)", "CI_NODE_TOTAL": "\(shards)"]) { $1 }
    try workspace.clean()
    let elsewhere = try TemporaryFolder()
    let folder = name == "comment" ? elsewhere.path : CIWorkspace.package.path
    let (artifacts, cache) = (workspace.service("artifacts"), workspace.service("cache"))
    let base = job["extends"]?.text.flatMap { recipe[$0] }
    // What the needed jobs left, and the cache.
    for path in job["needs"]?.texts.flatMap({ recipe[$0]?["artifacts"]?["paths"]?.texts ?? [] }) ?? [] {
      try workspace.copy("\(artifacts)/\(path)", to: "\(folder)/\(path)")
    }
    if (job["cache"] ?? base?["cache"])?.list.contains(where: { $0["key"]?.text == "test-history" }) == true {
      try workspace.copy("\(cache)/test-history", to: "\(folder)/test-history")
    }
    func lines(_ key: String) -> String {
      (job[key] ?? base?[key])?.texts.joined(separator: "\n") ?? ""
    }
    let result = try workspace.shell(lines("before_script") + "\n" + lines("script"), in: folder, variables)
    statuses[name, default: []].append(result.status)
    let after = try workspace.shell(lines("after_script"), in: folder, variables)
    output += result.output + after.output
    for path in job["artifacts"]?["paths"]?.texts ?? [] {
      // Those of several jobs lie side by side.
      for name in try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(path)") {
        try workspace.copy("\(folder)/\(path)/\(name)", to: "\(artifacts)/\(path)/\(name)")
      }
    }
    if name == "report", variables["HISTORY_ACCESS"] == "add" {
      try workspace.copy("\(folder)/test-history", to: "\(cache)/test-history")
    }
  }
}
