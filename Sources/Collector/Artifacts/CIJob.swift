/// What GitHub, GitLab and Jenkins tell of the running job in environment variables.
package enum CIJob {
  package static func link(_ variable: (String) -> String?) -> String? {
    if let server = variable("GITHUB_SERVER_URL"), let repository = variable("GITHUB_REPOSITORY"),
      let run = variable("GITHUB_RUN_ID")
    {
      return "\(server)/\(repository)/actions/runs/\(run)"
    }
    return variable("CI_JOB_URL") ?? variable("BUILD_URL")
  }

  /// Of a pull or merge request the source branch.
  package static func branch(_ variable: (String) -> String?) -> String? {
    let names = [
      "GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_REF_NAME",
      "BRANCH_NAME",
    ]
    return names.lazy.compactMap(variable).first { !$0.isEmpty }
  }

  package static func name(_ variable: (String) -> String?) -> String? {
    ["GITHUB_JOB", "CI_JOB_NAME", "JOB_NAME"].lazy.compactMap(variable).first { !$0.isEmpty }
  }
}
