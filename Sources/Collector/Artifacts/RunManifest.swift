package import ExhibitSystem
import Foundation

/// `run.json`, written once by the process that made the run's folder.
package struct RunManifest: Sendable, Equatable, Codable {
  package var format: String
  package var run: String
  /// Seconds since 1970.
  package var start: Double
  package var package: String
  package var host: String?
  package var toolchain: String?
  package var commit: String?
  /// Tracked files had changed since that commit; only `reporter` asks git.
  package var dirty: Bool?
  package var branch: String?
  package var link: String?
  package var job: String?
  package var label: String?
  /// Keeps the run from being pruned while it runs.
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

  package init(
    run: RunIdentity, folder: RunFolder, packageFolder: String, variable: (String) -> String?
  ) {
    self.init(
      run: folder.name, start: run.start, package: packageFolder, host: Self.hostName(),
      toolchain: Self.compiler, commit: Checkout.commit(at: packageFolder),
      branch: CIJob.branch(variable) ?? Checkout.branch(at: packageFolder), link: CIJob.link(variable),
      job: CIJob.name(variable), owner: run.owner)
  }

  /// Does nothing when another process was first.
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
    #elseif swift(>=6.3)
      "Swift 6.3"
    #elseif swift(>=6.2)
      "Swift 6.2"
    #elseif swift(>=6.1)
      "Swift 6.1"
    #else
      "Swift 6.0"
    #endif
  }

  private static func hostName() -> String? {
    readSystemFile("/proc/sys/kernel/hostname").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
  }
}
