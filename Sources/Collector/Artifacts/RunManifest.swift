package import ExhibitSystem
import Foundation

/// `run.json`, which describes one run; the process that created its folder writes it once.
package struct RunManifest: Sendable, Equatable, Codable {
  /// The artifacts format, `major.minor`; pruning removes only folders that have it.
  package var format: String
  /// The name of the run's folder.
  package var run: String
  /// The start of the run in seconds since 1970.
  package var start: Double
  /// The absolute path of the package folder.
  package var package: String
  package var host: String?
  package var toolchain: String?
  /// The full hash of the commit that is checked out.
  package var commit: String?
  /// True when files that git tracks had changed since that commit; only `reporter` asks git.
  package var dirty: Bool?
  package var branch: String?
  /// The address of the CI job's page.
  package var link: String?
  /// The CI service's name for the job.
  package var job: String?
  /// The user's name for the machines that run the tests.
  package var label: String?
  /// The process that keeps the run alive; nobody prunes the run while it runs.
  package var owner: ProcessIdentity?

  package init(
    format: String = ArtifactsFormat.current, run: String, start: Double, package: String,
    host: String? = nil, toolchain: String? = nil, commit: String? = nil, dirty: Bool? = nil,
    branch: String? = nil, link: String? = nil, job: String? = nil, owner: ProcessIdentity? = nil
  ) {
    self.format = format
    self.run = run
    self.start = start
    self.package = package
    self.host = host
    self.toolchain = toolchain
    self.commit = commit
    self.dirty = dirty
    self.branch = branch
    self.link = link
    self.job = job
    self.owner = owner
  }

  /// Describes a run as far as that needs no other program.
  package init(
    run: RunIdentity, folder: RunFolder, packageFolder: String, variable: (String) -> String?
  ) {
    self.init(
      run: folder.name, start: run.start, package: packageFolder, host: Self.hostName(),
      toolchain: Self.compiler, commit: Checkout.commit(at: packageFolder),
      branch: CIJob.branch(variable) ?? Checkout.branch(at: packageFolder), link: CIJob.link(variable),
      job: CIJob.name(variable), owner: run.owner)
  }

  /// Writes `run.json`; a process that was too late leaves the other's as it is.
  package func write(to folder: RunFolder) throws {
    do {
      try FileSystem.writeNewFile(folder.manifestPath, try jsonDocument(self))
    } catch let error as SystemError where error.code == EEXIST {
      return
    }
  }

  private static var compiler: String {
    #if swift(>=6.5)
      "Swift 6.5 or later"
    #elseif swift(>=6.4)
      "Swift 6.4"
    #else
      "Swift 6.3"
    #endif
  }

  private static func hostName() -> String? {
    readSystemFile("/proc/sys/kernel/hostname").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
  }
}
