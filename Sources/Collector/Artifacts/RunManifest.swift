package import ExhibitSystem
import Foundation
import Glibc

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

  /// What can be told of a run without starting a program.
  package init(
    run: RunIdentity, folder: RunFolder, packageFolder: String, variable: (String) -> String?
  ) {
    self.init(
      run: folder.name, start: run.start, package: packageFolder, host: Self.hostName(),
      toolchain: Self.compiler, commit: Checkout.commit(at: packageFolder),
      link: CIJob.link(variable), owner: run.owner)
  }

  /// Writes `run.json`; a process that lost the race to write it leaves the other's as it is.
  package func write(to folder: RunFolder) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      try FileSystem.writeNewFile(folder.manifestPath, try encoder.encode(self) + [UInt8(ascii: "\n")])
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
