/// What `summary.md` may be, and what it can lead to.
struct SummaryOptions: Sendable, Equatable {
  /// The most bytes it may have.
  ///
  /// GitHub drops a step summary of more than 1 MiB as a whole, and a step may say something of its own.
  var limit = 1000 * 1024
  /// Where the sources lie on the web.
  var sources: SourceLinks?
  /// The address of the report folder on the web.
  var reportURL: String?
  /// What an earlier report said.
  var baseline: ReportBaseline?

  /// The address of a file of the report; `nil` where the report is not on the web, or for a path that leaves it.
  func link(to path: String) -> String? {
    guard let address = reportURL.flatMap(webLink), let file = relativeLink(to: path) else { return nil }
    return address + (address.hasSuffix("/") ? "" : "/") + file
  }
}

/// Addresses of source lines in a repository on the web.
struct SourceLinks: Sendable, Equatable {
  /// What stands before the path: repository, view and commit.
  private let prefix: String

  /// - Parameters:
  ///   - repository: The repository's page, such as `https://github.com/owner/name`.
  ///   - isGitLab: Whether GitLab's addresses are wanted; told by the repository's host if not given.
  /// - Returns: `nil` for what is no address of the web, or a commit that no reference can be.
  init?(repository: String, commit: String, isGitLab: Bool? = nil) {
    guard let address = webLink(repository), let commit = relativeLink(to: commit) else { return nil }
    let host = address.split(separator: "/").dropFirst().first ?? ""
    var page = address.hasSuffix(".git") ? String(address.dropLast(4)) : address
    while page.hasSuffix("/") { page.removeLast() }
    prefix = page + (isGitLab ?? host.contains("gitlab") ? "/-/blob/" : "/blob/") + commit + "/"
  }

  /// What the variables of GitHub Actions or GitLab CI say.
  init?(environment: [String: String]) {
    if let project = environment["CI_PROJECT_URL"], let commit = environment["CI_COMMIT_SHA"] {
      self.init(repository: project, commit: commit, isGitLab: true)
    } else if let name = environment["GITHUB_REPOSITORY"], let commit = environment["GITHUB_SHA"] {
      let server = environment["GITHUB_SERVER_URL"] ?? "https://github.com"
      self.init(repository: "\(server)/\(name)", commit: commit, isGitLab: false)
    } else {
      return nil
    }
  }

  /// The address of a line; `nil` for a file outside the source root.
  func link(to place: SourceReference) -> String? {
    guard let path = relativeLink(to: place.file) else { return nil }
    return prefix + path + (place.line.map { "#L\($0)" } ?? "")
  }
}
