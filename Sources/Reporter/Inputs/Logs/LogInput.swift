import Collector
import ExhibitSystem
import Foundation

/// Reads the logs of a run: together they are one input, since a run has several processes.
enum LogInput {
  /// What the logs of a run say.
  struct Logs {
    var tests: InputTests
    /// Folders of evidence that are needed until the report has it.
    var temporary: [TemporaryRun]
  }

  /// - Parameter postMortem: Tells what processes that died have left.
  /// - Returns: `nil` when there is no log.
  static func read(_ run: FoundInput, postMortem: PostMortem) -> Logs? {
    let name = run.name
    var temporary: [TemporaryRun] = []
    var findings = Findings()
    var logs: [LogTests] = []
    // A run without logs has none to name.
    let names = RunReader.entries(of: "logs", in: run, mayBeMissing: true, &findings)
    var isComplete = findings.faults.isEmpty
    for file in names where file.hasSuffix(".jsonl") {
      let logName = "\(name)/logs/\(file)"
      do throws(InputError) {
        let bytes = try InputFile(name: logName, ContainedPath(folder: run.path, path: "logs/\(file)")).bytes
        let contents = LogReader.read(bytes)
        isComplete = isComplete && contents.isEnded && contents.problems.isEmpty
        let finding = postMortem.finding(on: contents, file: file)
        if let folder = finding.temporary { temporary.append(folder) }
        logs.append(LogTests(contents, name: logName, runFolder: run.path, finding: finding))
      } catch {
        isComplete = false
        findings.fault(.unreadableInput, "\(error)", input: logName)
      }
    }
    guard !logs.isEmpty || !isComplete else { return nil }
    for log in logs { findings.append(log.findings) }
    // One test target that links Attach observes all XCTests of its package; of Swift Testing only what has the trait.
    let tests = InputTests(
      kind: .log, name: "\(name)/logs", coverage: [.xctest], endedProperly: isComplete,
      observations: logs.flatMap(\.observations), fixtures: logs.flatMap(\.fixtures), findings: findings)
    return Logs(tests: tests, temporary: temporary)
  }
}
