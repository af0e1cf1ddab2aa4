import Collector
import ExhibitSystem
import Foundation
package import ReportModel

/// What was read at one place: a run's folder, or a file that lies in none; a report is made of several.
package struct RunInputs: Sendable {
  /// Which run it is; a file that lies in none has an identity of its own.
  let id: RunID
  /// What pages tell of the run; `nil` for what lies in none.
  package var run: Report.Run?
  /// The package folder that the run's manifest names.
  package var packageFolder: String?
  package var inputs: [InputTests] = []
  var invocations: [SwiftTestInvocation] = []
  var outputs: [SwiftTestOutput] = []
  var listings: [TestListing] = []
  /// What has to be known of the place itself; each input has its own beside them.
  package var remarks = Remarks()
  /// Folders of evidence that are needed until the report has it.
  var temporary: [TemporaryRun] = []

  package init(_ id: RunID, run: Report.Run? = nil) {
    self.id = id
    self.run = run
  }

  /// Reads what was found; a place that cannot be used is a fault as long as another has tests.
  ///
  /// Inputs without a test are worth a report when something was lost of them, such as what a process left that
  /// crashed in its first test.
  ///
  /// - Parameters:
  ///   - recovered: What processes left that died, by the path of their run's folder.
  ///   - names: What the user named, for the message when there was no test in it.
  /// - Throws: `InputError` when there is nothing to report on.
  package static func read(
    _ places: [FoundPlace], recovered: [String: RecoveredRun], named names: [String]
  ) throws(InputError) -> [RunInputs] {
    let all = places.map { read($0, recovered) }
    if all.contains(where: \.hasTests) { return all }
    for case .unusable(_, let error) in places { throw error }
    let inputs = all.flatMap(\.inputs)
    guard inputs.contains(where: { !$0.remarks.faults.isEmpty || !$0.issuesOutside.isEmpty }) else {
      throw .noTests(names: names)
    }
    return all
  }

  /// Whether any of its inputs names a test.
  package var hasTests: Bool { inputs.contains { !$0.observations.isEmpty } }

  private static func read(_ place: FoundPlace, _ recovered: [String: RecoveredRun]) -> RunInputs {
    switch place {
    case .input(let found) where found.form == .run:
      return RunReader.read(found, recovered: recovered[found.path] ?? RecoveredRun())
    case .input(let found): return readFile(found)
    case .unusable(let name, let error):
      var inputs = RunInputs(RunID(name: name))
      inputs.remarks.fault(.unreadableInput, "\(error)", input: name)
      return inputs
    }
  }

  /// Reads a file that lies in no run.
  private static func readFile(_ found: FoundInput) -> RunInputs {
    var inputs = RunInputs(RunID(name: found.name, folder: found.path))
    let folder = FileSystem.parentFolder(of: found.path) ?? "/"
    let invocation = InvocationID(folder: folder)
    do throws(InputError) {
      let file = try LoadedFile(name: found.name, path: found.path)
      if found.form == .eventStream {
        inputs.readEvents(file, of: invocation, attachments: [folder + "/attachments", folder])
      } else {
        inputs.readXUnit(file, of: invocation)
      }
    } catch {
      inputs.remarks.fault(.unreadableInput, "\(error)", input: found.name)
    }
    return inputs
  }

  /// Reads an event stream.
  ///
  /// - Parameter attachments: The folders in which attachments may lie, best first.
  mutating func readEvents(_ file: LoadedFile, of invocation: InvocationID, attachments: [String]) {
    var input = EventStreamInput.read(file, attachments: attachments)
    input.invocation = invocation
    inputs.append(input)
  }

  /// Reads an xunit file.
  mutating func readXUnit(_ file: LoadedFile, of invocation: InvocationID) {
    var input = XUnitInput.read(file)
    input.invocation = invocation
    inputs.append(input)
  }

  // MARK: - What only the whole run tells

  /// Whether each test target had a runner of its own, which SwiftPM's build system `swiftbuild` gives it.
  var hasTargetRunners: Bool {
    inputs.contains(where: \.hasTargetRunners)
      || invocations.contains { $0.arguments.contains { $0.hasSuffix("swiftbuild") } }
  }

  /// Expects of event streams and xunit files the modules alone that they have tests of: the runner of each test target
  /// overwrote what the one before it had written.
  mutating func limitOverwritten() {
    for index in inputs.indices where inputs[index].kind != .log {
      inputs[index].coverage.limit(to: Set(inputs[index].observations.map(\.id.module)))
    }
  }

  /// Decides which tests crashed by what `swift test` printed and by how it ended.
  mutating func decideCrashes() {
    for input in inputs.indices {
      for output in outputs {
        inputs[input].applyBacktrace(output.backtrace)
        inputs[input].applyFatalErrors(output.fatalErrors)
      }
      if invocations.contains(where: { $0.signal != nil }) { inputs[input].markInterrupted() }
      for output in outputs { inputs[input].applyOutputs(output.stopped) }
    }
  }
}

extension InputTests {
  /// Takes back that tests crashed: `swift test` was interrupted.
  fileprivate mutating func markInterrupted() {
    for index in observations.indices {
      observations[index].outcome = OutcomeTable.ofInterrupted(observations[index].outcome)
    }
  }
}
