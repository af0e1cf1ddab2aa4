import Collector
import Foundation

/// Finds what the user named, recovers what processes left that died, and reads.
///
/// - Throws: `InputError` when there is nothing to report on, and when no input has the run that was asked for.
func readRuns(_ paths: [String], choice: RunChoice) throws(InputError) -> [RunInputs] {
  let places = try InputDiscovery(runs: choice).find(paths)
  let current = FileManager.default.currentDirectoryPath
  var recovered: [String: RecoveredRun] = [:]
  for case .input(let found) in places where found.form == .run {
    recovered[found.path] = PostMortem(of: RunFolder(path: found.path), current: current).recover()
  }
  return try RunInputs.read(places, recovered: recovered, named: paths)
}
