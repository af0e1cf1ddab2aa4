import ExhibitSystem
import Foundation
import Glibc

extension RunManifest {
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
