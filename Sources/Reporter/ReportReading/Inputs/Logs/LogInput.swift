import Collector
import ReportModel

enum LogInput {
  static func read(
    _ names: [String], of run: FoundInput, listing: Remarks, recovered: RecoveredRun
  ) -> InputTests? {
    let name = run.name
    var remarks = listing
    var logs: [LogTests] = []
    var isComplete = listing.faults.isEmpty
    for file in names where file.hasSuffix(".jsonl") {
      let logName = "\(name)/logs/\(file)"
      do throws(InputError) {
        let bytes = try LoadedFile(name: logName, ContainedPath(folder: run.path, path: "logs/\(file)")).bytes
        let contents = LogReader.read(bytes, LogTests.kinds)
        isComplete = isComplete && contents.isEnded && contents.problems.isEmpty
        if !contents.isEnded, let problem = recovered.problems[file] ?? recovered.problem {
          remarks.fault(
            .captureFailed,
            "The process died, and what it left was not looked for. \(problem) Make the report again.",
            input: logName)
        }
        logs.append(
          LogTests(contents, name: logName, runFolder: run.path, recovered: recovered.logs[file]))
      } catch {
        isComplete = false
        remarks.fault(.unreadableInput, "\(error)", input: logName)
      }
    }
    guard !logs.isEmpty || !isComplete else { return nil }
    for log in logs { remarks.append(log.remarks) }
    return InputTests(
      kind: .log, name: "\(name)/logs", coverage: coverage(of: logs), endedProperly: isComplete,
      observations: logs.flatMap(\.observations), issuesOutside: logs.flatMap(\.issuesOutside),
      fixtures: logs.flatMap(\.fixtures), tracesInMemory: logs.compactMap(\.traceInMemory),
      passesLeftOut: logs.compactMap(\.passesLeftOut), deaths: logs.compactMap(\.death),
      recordsTraitAlone: logs.contains(where: \.hasSomeOfSwiftTesting),
      hasTargetRunners: logs.contains(where: \.isOfTargetRunner), remarks: remarks)
  }

  /// The tests that the logs list completely.
  ///
  /// A process that links Attach records all tests of the package, or of its target if each has a runner.
  private static func coverage(of logs: [LogTests]) -> InputCoverage {
    // Missing or unreadable logs are incomplete, not empty.
    var coverage: InputCoverage = logs.isEmpty ? [.xctest] : []
    for log in logs { coverage.add(log.frameworks, of: log.isOfTargetRunner ? log.modules : nil) }
    if logs.contains(where: \.hasSomeOfSwiftTesting) { coverage.remove(.swiftTesting) }
    return coverage
  }
}
