package import Collector
import Foundation
package import ReportModel
package import ReportReading

/// Finds the inputs that the user named, recovers what dead processes left, and reads everything.
///
/// - Parameter output: The absolute path of the future report; `nil` where none is written.
/// - Throws: `InputError` when there is nothing to report on, and when no input has the named run.
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

/// The inputs that the user named; where there are none, the artifacts folder.
package func inputsOrArtifacts(_ named: [String]) -> [String] {
  named.isEmpty ? [currentFolder.relative(ArtifactsFolder.current.path)] : named
}

/// The folder in which `reporter` was started, to which printed paths are relative.
package let currentFolder = SourceRoot(path: FileManager.default.currentDirectoryPath)

extension ArtifactsFolder {
  /// The folder in `$EXHIBIT_ARTIFACTS`, or `test-artifacts` in the folder in which `reporter` was started.
  package static let current = ArtifactsFolder(
    variable: ProcessInfo.processInfo.environment["EXHIBIT_ARTIFACTS"], packageFolder: currentFolder.path)
}
