/// Reads a CI service's variables on the running job.
package enum CIJob {
  /// The address of the job's page.
  ///
  /// Sources: GitHub's default environment variables, GitLab's predefined variables, Jenkins' job variables.
  package static func link(_ variable: (String) -> String?) -> String? {
    if let server = variable("GITHUB_SERVER_URL"), let repository = variable("GITHUB_REPOSITORY"),
      let run = variable("GITHUB_RUN_ID")
    {
      return "\(server)/\(repository)/actions/runs/\(run)"
    }
    return variable("CI_JOB_URL") ?? variable("BUILD_URL")
  }

  /// The branch that the job is about: for a pull or merge request the one that is to be merged.
  package static func branch(_ variable: (String) -> String?) -> String? {
    let names = [
      "GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_REF_NAME",
      "BRANCH_NAME",
    ]
    return names.lazy.compactMap(variable).first { !$0.isEmpty }
  }

  /// The name of the job in the service's configuration.
  package static func name(_ variable: (String) -> String?) -> String? {
    ["GITHUB_JOB", "CI_JOB_NAME", "JOB_NAME"].lazy.compactMap(variable).first { !$0.isEmpty }
  }
}
