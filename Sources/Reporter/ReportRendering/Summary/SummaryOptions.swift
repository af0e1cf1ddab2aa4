import ReportModel
package import ReportReading

/// The options of summary, comment and annotations: where they will be read, and what to compare with.
package struct SummaryOptions: Sendable, Equatable {
  /// The most bytes of the summary that is appended to a job's page: GitHub drops a larger one as a whole, with what other
  /// steps have written there.
  package static let mostBytes = 900 << 10

  /// The most bytes of the summary.
  package var limit = Self.mostBytes
  /// The repository that sources link to.
  package var repository: Repository?
  /// The address of the report, without a slash at its end.
  package var reportURL: String?
  /// The page of the CI's job that makes the report.
  package var jobLink: String?
  /// An earlier report.
  package var baseline: Baseline?
  /// True when they may show what is in the rows of databases, beside what a test itself says in its message.
  package var showsValues = false

  package init() {}
}

/// The page of a repository and the commit that was tested.
package struct Repository: Sendable, Equatable {
  /// `https://…`, without a slash or `.git` at its end.
  var url: String
  var commit: String?
  /// True when GitLab serves it; its name tells, or GitLab's CI.
  var isOnGitLab: Bool
  /// The folder in it where the sources' paths begin, with a slash at its end; empty for its root.
  package var folder = ""

  /// Takes `https://…`, `git@host:owner/name.git`, or `owner/name`, which is on GitHub.
  ///
  /// `nil` for anything else: a link is made of it.
  ///
  /// - Parameter gitLab: The address of the GitLab whose CI this is.
  package init?(_ text: String, commit: String?, gitLab: String? = nil) {
    var text = text
    while text.hasSuffix("/") { text.removeLast() }
    if text.hasSuffix(".git") { text.removeLast(4) }
    if text.hasPrefix("git@"), let colon = text.firstIndex(of: ":") {
      text = "https://" + text[..<colon].dropFirst(4) + "/" + text[text.index(after: colon)...]
    }
    let isPlain = text.utf8.allSatisfy { isUnreserved($0) || "/:".utf8.contains($0) }
    guard isPlain, !text.isEmpty else { return nil }
    if !text.hasPrefix("https://") && !text.hasPrefix("http://") {
      guard text.split(separator: "/", omittingEmptySubsequences: false).count == 2 else { return nil }
      text = "https://github.com/" + text
    }
    url = text
    let host = text.split(separator: "/").dropFirst().first ?? ""
    isOnGitLab = host.contains("gitlab") || gitLab.map { text.hasPrefix($0 + "/") } ?? false
    self.commit = commit.flatMap { $0.allSatisfy(\.isHexDigit) && !$0.isEmpty ? $0 : nil }
  }

  /// Reads GitHub's and GitLab's variables.
  ///
  /// Sources: GitHub's default environment variables, GitLab's predefined CI/CD variables.
  ///
  /// - Returns: Beside the repository the address of the GitLab that runs the job, without a slash at its end, and the
  ///   absolute path of the checkout.
  package static func ofCI(
    _ variable: (String) -> String?
  ) -> (url: String?, commit: String?, gitLab: String?, checkout: String?) {
    if let server = variable("GITHUB_SERVER_URL"), let name = variable("GITHUB_REPOSITORY") {
      return ("\(server)/\(name)", variable("GITHUB_SHA"), nil, variable("GITHUB_WORKSPACE"))
    }
    let server = variable("CI_SERVER_URL").map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    let path = variable("CI_PROJECT_PATH")
    let url = variable("CI_PROJECT_URL") ?? server.flatMap { server in path.map { "\(server)/\($0)" } }
    return (url, variable("CI_COMMIT_SHA"), server, variable("CI_PROJECT_DIR"))
  }
}

extension SummaryOptions {
  /// The address of a file of the report; `nil` where the report is not on the web, or for a path that leaves it.
  func link(to path: String) -> String? {
    guard let address = reportURL.flatMap(webLink), let file = relativeLink(to: path) else { return nil }
    return address + (address.hasSuffix("/") ? "" : "/") + file
  }

  /// The address of a test's page; `nil` for a test without one, and where the report is not on the web.
  func link(toPageOf test: TestResult, _ names: PageNames) -> String? {
    guard let path = names.path(of: test), let link = link(to: path) else { return nil }
    return names.anchor(of: test.id).map { "\(link)#\($0)" } ?? link
  }

  /// A place as the repository has it, of which the package may be a folder.
  func inRepository(_ place: SourceReference) -> SourceReference {
    guard let folder = repository?.folder, !folder.isEmpty, !place.file.hasPrefix("/") else { return place }
    return SourceReference(file: folder + place.file, line: place.line)
  }
}

extension Repository {
  /// The address of a source line at the commit; `nil` without a commit, or for a file outside the source root.
  ///
  /// GitLab's addresses differ from GitHub's by a `/-`; a host that is not known to be GitLab's gets GitHub's, which
  /// GitLab redirects.
  func link(to place: SourceReference) -> String? {
    guard let address = webLink(url), let commit = commit.flatMap({ relativeLink(to: $0) }),
      let path = relativeLink(to: place.file).map({ encodedPath(folder) + $0 })
    else { return nil }
    let view = isOnGitLab ? "/-/blob/" : "/blob/"
    return address + view + commit + "/" + path + (place.line.map { "#L\($0)" } ?? "")
  }
}
