import Collector
import ExhibitSystem
import Foundation

/// Everything that was read for one report, before it is joined.
struct InputSet: Sendable {
  var runs: [Report.Run] = []
  var inputs: [InputTests] = []
  var invocations: [SwiftTestInvocation] = []
  var outputs: [SwiftTestOutput] = []
  var listings: [TestListing] = []
  var findings = Findings()
  /// The package folder that the first run's manifest names.
  var packageFolder: String?
  /// Folders of evidence that are needed until the report has it.
  var temporary: [TemporaryRun] = []
  /// What was looked at, for the message when there was no test in it.
  private var names: [String] = []

  /// Reads what lies at the given paths; one that cannot be used is a fault as long as another has tests.
  ///
  /// Inputs without a test are worth a report when something was lost of them, such as what a process left that
  /// crashed in its first test.
  ///
  /// - Throws: `InputError` when there is nothing to report on, and when no input has the run that was asked for.
  static func read(_ paths: [String], runs: RunChoice) throws(InputError) -> InputSet {
    var set = InputSet()
    var (firstError, missingRun): (InputError?, InputError?)
    var hasRun = false
    for path in paths {
      set.names.append(path)
      do throws(InputError) {
        for found in try InputDiscovery(runs: runs).find(path) {
          hasRun = hasRun || runs.isRun(found)
          set.read(found)
        }
      } catch {
        firstError = firstError ?? error
        if case .noSuchRun = error { missingRun = missingRun ?? error }
        set.findings.fault(.unreadableInput, "\(error)", input: path)
      }
    }
    if case .named(let name) = runs, !hasRun {
      throw missingRun ?? firstError ?? .noSuchRun(name: name, known: [])
    }
    let hasTests = set.inputs.contains { !$0.observations.isEmpty }
    if let firstError, !hasTests { throw firstError }
    guard hasTests || set.inputs.contains(where: { !$0.findings.faults.isEmpty }) else {
      throw .noTests(names: set.names)
    }
    return set
  }

  mutating func add(_ input: InputTests) {
    inputs.append(input)
  }

  /// Makes inputs those of the run that was added last.
  mutating func assignRun(from first: Int) {
    for input in inputs.indices.dropFirst(first) { inputs[input].run = runs.indices.last }
  }

  /// Lets the outputs of a run tell which of several running tests crashed.
  ///
  /// - Parameters: The run's first input and first output.
  mutating func applyBacktraces(from first: Int, outputs firstOutput: Int) {
    for input in inputs.indices.dropFirst(first) {
      for output in outputs.dropFirst(firstOutput) {
        inputs[input].applyBacktrace(output.backtrace)
        inputs[input].applyFatalErrors(output.fatalErrors)
      }
    }
  }

  /// Gives what processes printed before they died to the tests that ran in them.
  mutating func applyOutputs(from first: Int, outputs firstOutput: Int) {
    for input in inputs.indices.dropFirst(first) {
      for output in outputs.dropFirst(firstOutput) { inputs[input].applyOutputs(output.stopped) }
    }
  }

  /// Takes back that tests crashed, for the inputs of a run that was interrupted.
  mutating func markInterrupted(from first: Int) {
    for input in inputs.indices.dropFirst(first) {
      for index in inputs[input].observations.indices {
        let outcome = inputs[input].observations[index].outcome
        inputs[input].observations[index].outcome = OutcomeTable.ofInterrupted(outcome)
      }
    }
  }

  private mutating func read(_ found: FoundInput) {
    switch found.form {
    case .run: RunReader.read(found, into: &self)
    case .eventStream, .xunit:
      let folder = FileSystem.parentFolder(of: found.path) ?? "/"
      do throws(InputError) {
        let file = try InputFile(name: found.name, path: found.path)
        let attachments = [folder + "/attachments", folder]
        if found.form == .eventStream {
          readEvents(file, scope: folder, attachments: attachments)
        } else {
          readXUnit(file, scope: folder)
        }
      } catch {
        findings.fault(.unreadableInput, "\(error)", input: found.name)
      }
    }
  }

  /// Reads what `swift test list` printed.
  mutating func readListing(_ file: InputFile) {
    var listing = TestListing(file)
    listing.run = runs.indices.last
    listings.append(listing)
  }

  /// Reads what `swift test` printed.
  mutating func readOutput(_ file: InputFile) {
    outputs.append(SwiftTestOutput(file))
  }

  /// Reads an event stream.
  ///
  /// - Parameters:
  ///   - scope: Which invocation of `swift test` it is of.
  ///   - attachments: The folders in which attachments may lie, best first.
  mutating func readEvents(_ file: InputFile, scope: String, attachments: [String]) {
    var input = EventStreamInput.read(file, attachments: attachments)
    input.scope = scope
    add(input)
  }

  /// Reads an xunit file.
  ///
  /// - Parameter scope: Which invocation of `swift test` it is of.
  mutating func readXUnit(_ file: InputFile, scope: String) {
    var input = XUnitInput.read(file)
    input.scope = scope
    add(input)
  }
}
