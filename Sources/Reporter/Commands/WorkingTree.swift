import Foundation
import ReportModel

/// The git checkout around a folder, as git sees it.
struct WorkingTree {
  var folder: String
  var environment = ProcessInfo.processInfo.environment

  /// Whether files that git tracks have changed; `nil` where git does not say.
  ///
  /// Nothing of the checkout is changed, and no program that its configuration names is asked.
  var isDirty: Bool? {
    let arguments = [
      "--no-optional-locks", "-C", folder, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
      "status",
      "--porcelain", "--untracked-files=no",
    ]
    let own = environment.filter { !["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"].contains($0.key) }
    // Without git nothing is known.
    guard let child = try? ChildProcess("git", arguments, environment: own) else { return nil }
    var relay = OutputRelay(keeping: 1 << 16, isSilent: true)
    let output = relay.relay(child, until: .now + .seconds(30))
    guard child.reap() == .exited(0) else { return nil }
    return !output.bytes.isEmpty
  }
}
