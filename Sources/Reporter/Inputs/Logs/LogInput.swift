import Collector
import ExhibitSystem
import Foundation

/// Reads the logs of a run: together they are one input, since a run has several processes.
enum LogInput {
  /// - Parameter recovered: What processes of the run left that died.
  /// - Returns: `nil` when there is no log.
  static func read(_ run: FoundInput, recovered: RecoveredRun) -> InputTests? {
    let name = run.name
    var remarks = Remarks()
    var logs: [LogTests] = []
    // A run without logs has none to name.
    let names = RunReader.entries(of: "logs", in: run, mayBeMissing: true, &remarks)
    var isComplete = remarks.faults.isEmpty
    for file in names where file.hasSuffix(".jsonl") {
      let logName = "\(name)/logs/\(file)"
      do throws(InputError) {
        let bytes = try LoadedFile(name: logName, ContainedPath(folder: run.path, path: "logs/\(file)")).bytes
        let contents = LogReader.read(bytes, LogTests.kinds)
        isComplete = isComplete && contents.isEnded && contents.problems.isEmpty
        logs.append(
          LogTests(contents, name: logName, runFolder: run.path, recovered: recovered.logs[file]))
      } catch {
        isComplete = false
        remarks.fault(.unreadableInput, "\(error)", input: logName)
      }
    }
    guard !logs.isEmpty || !isComplete else { return nil }
    for log in logs { remarks.append(log.remarks) }
    // One test target that links Attach observes all XCTests of its package; of Swift Testing only what has the trait.
    return InputTests(
      kind: .log, name: "\(name)/logs", coverage: [.xctest], endedProperly: isComplete,
      observations: logs.flatMap(\.observations), fixtures: logs.flatMap(\.fixtures),
      tracesInMemory: logs.compactMap(\.traceInMemory), remarks: remarks)
  }
}
