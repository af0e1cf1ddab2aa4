package import ExhibitSystem

/// `run.json`: what one run was, written once by the process that created its folder.
package struct RunManifest: Sendable, Equatable, Codable {
  /// The artifacts format, `major.minor`; also the mark by which pruning knows a folder as ours.
  package var format: String
  /// The name of the run's folder.
  package var run: String
  /// Seconds since 1970 at which the run started.
  package var start: Double
  /// The absolute path of the package folder.
  package var package: String
  package var host: String?
  package var toolchain: String?
  /// The commit that is checked out, in full.
  package var commit: String?
  /// The page of the CI job that ran it.
  package var link: String?
  /// The process that keeps the run alive, so that nobody prunes it meanwhile.
  package var owner: ProcessIdentity?

  package init(
    format: String = ArtifactsFormat.current, run: String, start: Double, package: String,
    host: String? = nil, toolchain: String? = nil, commit: String? = nil, link: String? = nil,
    owner: ProcessIdentity? = nil
  ) {
    self.format = format
    self.run = run
    self.start = start
    self.package = package
    self.host = host
    self.toolchain = toolchain
    self.commit = commit
    self.link = link
    self.owner = owner
  }
}
