/// What the CI services say of the job that a process runs in.
package enum CIJob {
  /// The page of the job; no other variable is kept.
  ///
  /// Sources: GitHub's default environment variables, GitLab's predefined variables, Jenkins' job variables.
  package static func link(_ environment: [String: String]) -> String? {
    if let server = environment["GITHUB_SERVER_URL"], let repository = environment["GITHUB_REPOSITORY"],
      let run = environment["GITHUB_RUN_ID"]
    {
      return "\(server)/\(repository)/actions/runs/\(run)"
    }
    return environment["CI_JOB_URL"] ?? environment["BUILD_URL"]
  }
}
