import ReportModel
package import ReportReading

/// Options of summary, comment and annotations.
package struct SummaryOptions: Sendable, Equatable {
  /// GitHub drops a larger summary, even what other steps wrote.
  package static let mostBytes = 900 << 10

  package var limit = Self.mostBytes
  package var repository: Repository?
  /// The report's address without final slash.
  package var reportURL: String?
  package var jobLink: String?
  package var baseline: Baseline?
  /// True to show values of rows.
  package var showsValues = false

  package init() {}
}

/// A repository and the tested commit.
package struct Repository: Sendable, Equatable {
  /// `https://…` without final slash or `.git`.
  var url: String
  var commit: String?
  /// By its name, or GitLab's CI.
  var isOnGitLab: Bool
  /// The package's folder in the repository, with final slash, or empty.
  package var folder = ""

  /// Accepts `https://…`, `git@host:owner/name.git`, or `owner/name` on GitHub.
  ///
  /// `nil` for others, since links are made of it.
  ///
  /// - Parameter gitLab: The GitLab that runs the job.
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

  /// Reads variables of GitHub and GitLab.
  ///
  /// Sources: GitHub's default environment variables, GitLab's predefined CI/CD variables.
  ///
  /// - Returns: Repository, commit, address of the GitLab that runs the job, and checkout path.
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
  /// A report file's address, if online.
  func link(to path: String) -> String? {
    guard let address = reportURL.flatMap(webLink), let file = relativeLink(to: path) else { return nil }
    return address + (address.hasSuffix("/") ? "" : "/") + file
  }

  /// A test page's address, if online.
  func link(toPageOf test: TestResult, _ names: PageNames) -> String? {
    guard let path = names.path(of: test), let link = link(to: path) else { return nil }
    return names.anchor(of: test.id).map { "\(link)#\($0)" } ?? link
  }

  /// A place relative to the repository.
  func inRepository(_ place: SourceReference) -> SourceReference {
    guard let folder = repository?.folder, !folder.isEmpty, !place.file.hasPrefix("/") else { return place }
    return SourceReference(file: folder + place.file, line: place.line)
  }
}

extension Repository {
  /// A source line's address at the commit, if known.
  ///
  /// GitLab redirects GitHub's form, so unknown hosts get that.
  func link(to place: SourceReference) -> String? {
    guard let address = webLink(url), let commit = commit.flatMap({ relativeLink(to: $0) }),
      let path = relativeLink(to: place.file).map({ encodedPath(folder) + $0 })
    else { return nil }
    let view = isOnGitLab ? "/-/blob/" : "/blob/"
    return address + view + commit + "/" + path + (place.line.map { "#L\($0)" } ?? "")
  }
}
