package import Collector
import ExhibitSystem
package import ReportModel

/// The inputs of one run's folder, of tests that ran again in it, or of a file outside of runs; a report is made of
/// several.
package struct RunInputs: Sendable {
  /// Identifies the run; a file outside of runs has an identity of its own.
  package private(set) var id: RunID
  /// Its name in messages: as the user gave it, or relative to the artifacts folder.
  var name = ""
  /// The round of failed tests that ran again in the run; 0 for the run itself.
  package var round = 0
  /// The run's data for pages; `nil` for a file outside of runs, and for a round of tests that ran again.
  package var run: Report.Run?
  /// The package folder in the run's manifest.
  package var packageFolder: String?
  /// The folder of the run; `nil` for a file outside of runs.
  package var folder: RunFolder?
  package var inputs: [InputTests] = []
  var invocations: [SwiftTestInvocation] = []
  var outputs: [SwiftTestOutput] = []
  /// The tests in these outputs.
  var printed: [InputTests] = []
  var listings: [TestListing] = []
  /// The number of invocations of `swift test` that left no record of their end.
  var unended = 0
  /// Remarks on the place itself; each input also has its own.
  package var remarks = Remarks()
  /// Folders that are needed until the report is made.
  package internal(set) var temporary: [TemporaryRun] = []

  package init(_ id: RunID, run: Report.Run? = nil) {
    self.id = id
    self.run = run
  }

  /// Reads the inputs; an unusable place is a fault, provided that another place has tests.
  ///
  /// Inputs without a test are worth a report when something of them was lost, for example when a process crashed in
  /// its first test.
  ///
  /// - Parameters:
  ///   - recovered: The remains of processes that died, by the path of their run's folder.
  ///   - names: The names given by the user, for the message when there is no test.
  /// - Throws: `InputError` when there is nothing to report on.
  package static func read(
    _ places: [FoundPlace], recovered: [String: RecoveredRun], named names: [String]
  ) throws(InputError) -> [RunInputs] {
    var all = places.flatMap { read($0, recovered) }
    distinguish(&all)
    rebase(&all)
    if all.contains(where: \.hasTests) { return all }
    for case .unusable(_, let error) in places { throw error }
    let inputs = all.flatMap(\.inputs)
    guard inputs.contains(where: { !$0.remarks.faults.isEmpty || !$0.issuesOutside.isEmpty }) else {
      throw .noTests(names: names)
    }
    return all
  }

  /// True when one of its inputs has a test.
  package var hasTests: Bool { inputs.contains { !$0.observations.isEmpty } }

  /// Gives runs of one name, as shards and machines may have, the names under which the user gave them.
  private static func distinguish(_ all: inout [RunInputs]) {
    let folders = Dictionary(grouping: all.map(\.id), by: \.name).mapValues { Set($0.map(\.folder)).count }
    for index in all.indices where folders[all[index].id.name, default: 0] > 1 && !all[index].name.isEmpty {
      let name = all[index].name
      all[index].id.name = name
      all[index].run?.name = name
    }
  }

  /// Makes places in the sources of a run elsewhere such of the first run's package.
  private static func rebase(_ all: inout [RunInputs]) {
    guard let root = all.lazy.compactMap(\.packageFolder).first else { return }
    var other: String?
    for index in all.indices {
      // The rounds of a run come behind it.
      if all[index].run != nil { other = all[index].packageFolder }
      guard let other, other != root, other.utf8.count > 1, other.hasPrefix("/") else { continue }
      let (from, to) = (SourceRoot(path: other), SourceRoot(path: root))
      for input in all[index].inputs.indices {
        for test in all[index].inputs[input].observations.indices
        where !all[index].inputs[input].observations[test].isPlain {
          all[index].inputs[input].observations[test].move(from: from, to: to)
        }
      }
    }
  }

  private static func read(_ place: FoundPlace, _ recovered: [String: RecoveredRun]) -> [RunInputs] {
    switch place {
    case .input(let found) where found.form == .run:
      return RunReader.read(found, recovered: recovered[found.path] ?? RecoveredRun())
    case .input(let found): return [readFile(found)]
    case .unusable(let name, let error):
      var inputs = RunInputs(RunID(name: name))
      inputs.remarks.fault(.unreadableInput, "\(error)", input: name)
      return [inputs]
    }
  }

  /// Reads a file outside of runs.
  private static func readFile(_ found: FoundInput) -> RunInputs {
    var inputs = RunInputs(RunID(name: found.name, folder: found.path))
    inputs.temporary = [found.unpacked].compactMap { $0 }
    let folder = FileSystem.parentFolder(of: found.path) ?? "/"
    do throws(InputError) {
      let file = try LoadedFile(name: found.name, path: found.path)
      switch found.form {
      case .eventStream:
        inputs.add(EventStreamInput.read(file, attachments: [folder + "/attachments", folder]), of: folder)
      case .console:
        let (tests, output) = ConsoleInput.read(file)
        inputs.add(tests, of: folder)
        inputs.outputs.append(output)
        inputs.decideCrashes()
      case .xunit, .run:
        inputs.add(XUnitInput.read(file), of: folder)
        inputs.sortTests()
      }
    } catch {
      inputs.remarks.fault(.unreadableInput, "\(error)", input: found.name)
    }
    return inputs
  }

  /// - Parameter invocation: The absolute path of its folder.
  mutating func add(_ input: consuming InputTests, of invocation: String) {
    input.invocation = invocation
    inputs.append(input)
  }

  /// Sorts the tests of each input where they are, so that joining needs no second copy of them.
  private mutating func sortTests() {
    for input in inputs.indices {
      var order = inputs[input].observations.sortedPlaces
      inputs[input].observations.arrange(&order)
    }
  }

  // MARK: - What only the whole run tells

  /// True when each test target had a runner of its own, as SwiftPM's build system `swiftbuild` makes it.
  var hasTargetRunners: Bool {
    inputs.contains(where: \.hasTargetRunners)
      || invocations.contains { $0.arguments.contains { $0.hasSuffix("swiftbuild") } }
  }

  /// Limits the coverage of event streams and xunit files to the modules that they have tests of.
  ///
  /// Each test target's runner has overwritten the file of the one before.
  mutating func limitOverwritten() {
    for index in inputs.indices where inputs[index].kind != .log {
      inputs[index].coverage.limit(to: Set(inputs[index].observations.map(\.id.module)))
    }
  }

  /// The number of tests of a framework that ran, according to the outputs, and that no input has.
  func unrecorded(_ framework: TestFramework) -> Int {
    let ran = outputs.reduce(0) { $0 + min($1.summarised[framework] ?? 0, 1 << 40) }
    guard ran > 0 else { return 0 }
    let read = inputs.lazy.filter { $0.kind != .console }.flatMap(\.observations).filter {
      $0.framework == framework
    }
    // In Swift Testing the cases of a function count as one test; XCTest has no cases.
    return ran - Set(read.map(\.id.function)).count
  }

  /// Adds what the outputs say of failed tests where tests are lost, as those of a target without Attach.
  ///
  /// Nothing else is taken from there, since what tests print may look like it.
  mutating func addPrintedFailures() {
    let lacking = Set(TestFramework.allCases.filter { unrecorded($0) > 0 })
    guard !lacking.isEmpty else { return }
    let names = PrintedNames(inputs)
    for var tests in printed {
      tests.observations.removeAll { test in
        !test.outcome.isFailure || !(test.framework.map(lacking.contains) ?? false)
          || names.haveFailed(test)
      }
      (tests.remarks, tests.issuesOutside) = (Remarks(), [])
      if !tests.observations.isEmpty { add(tests, of: tests.name) }
    }
    printed = []
  }

  /// Decides which tests crashed, from the output of `swift test` and the way it ended.
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
  /// Changes crashed tests back, because `swift test` was interrupted.
  fileprivate mutating func markInterrupted() {
    for index in observations.indices {
      guard observations[index].outcome == .crashed else { continue }
      observations[index].outcome = OutcomeTable.ofInterrupted(.crashed, issues: observations[index].issues)
    }
  }
}

extension [Observation] {
  /// Moves elements in place.
  ///
  /// - Parameter order: For each place, the place of the element that it gets.
  fileprivate mutating func arrange(_ order: inout [Int]) {
    // The array's own `swapAt` copies both elements.
    withUnsafeMutableBufferPointer { elements in
      for start in elements.indices {
        var place = start
        while order[place] != start {
          let next = order[place]
          elements.swapAt(place, next)
          order[place] = place
          place = next
        }
        order[place] = place
      }
    }
  }
}

extension Observation {
  fileprivate mutating func move(from old: SourceRoot, to new: SourceRoot) {
    func moved(_ place: SourceReference) -> SourceReference {
      let path = old.relative(place.file)
      return path == place.file ? place : SourceReference(file: new.path + "/" + path, line: place.line)
    }
    mapLocations(moved)
  }
}
