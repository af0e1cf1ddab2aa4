import ReportModel

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
