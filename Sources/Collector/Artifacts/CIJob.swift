/// Reads a CI service's variables on the running job.
package enum CIJob {
  /// The address of the job's page; no other variable is kept.
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
}
