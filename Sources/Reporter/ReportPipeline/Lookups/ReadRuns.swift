package import Collector
import Foundation
package import ReportModel
package import ReportReading

/// Captures what dead processes left, and reads the named inputs.
///
/// - Parameter output: The future report's path, if one is written.
package func readRuns(
  _ paths: [String], choice: RunChoice, output: String? = nil
) throws(InputError) -> [RunInputs] {
  let temporary = FileManager.default.temporaryDirectory.path
  let spare = output.map(ReportFolder.spare) ?? "\(temporary)/exhibit-\(getpid())"
  let places = try InputDiscovery(runs: choice, spare: spare).find(paths)
  var recovered: [String: RecoveredRun] = [:]
  for case .input(let found) in places where found.form == .run {
    recovered[found.path] = PostMortem(
      of: RunFolder(path: found.path), current: currentFolder.path, spare: spare
    ).recover()
  }
  return try RunInputs.read(places, recovered: recovered, named: paths)
}

package func inputsOrArtifacts(_ named: [String]) -> [String] {
  named.isEmpty ? [currentFolder.relative(ArtifactsFolder.current.path)] : named
}

/// The folder of `reporter`'s start; printed paths are relative to it.
package let currentFolder = SourceRoot(path: FileManager.default.currentDirectoryPath)

extension ArtifactsFolder {
  /// `$EXHIBIT_ARTIFACTS`, or `test-artifacts` in the current folder.
  package static let current = ArtifactsFolder(
    variable: ProcessInfo.processInfo.environment["EXHIBIT_ARTIFACTS"], packageFolder: currentFolder.path)
}
