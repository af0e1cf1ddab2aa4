package import Collector
import ExhibitSystem
package import ReportModel

/// The inputs of one run, of one rerun of its failed tests, or of a file outside of runs.
package struct RunInputs: Sendable {
  package private(set) var id: RunID
  var name = ""
  /// 0 for the run itself, from 1 for reruns of failed tests.
  package var round = 0
  /// `nil` for a file, and for reruns.
  package var run: Report.Run?
  package var packageFolder: String?
  package var folder: RunFolder?
  package var inputs: [InputTests] = []
  var invocations: [SwiftTestInvocation] = []
  var outputs: [SwiftTestOutput] = []
  var printed: [InputTests] = []
  var listings: [TestListing] = []
  /// The tests in which processes died, where each death has one.
  private(set) var crashes: [TestCaseID] = []
  /// Runs of `swift test` without a recorded end.
  var unended = 0
  package var remarks = Remarks()
  package internal(set) var temporary: [TemporaryRun] = []

  package init(_ id: RunID, run: Report.Run? = nil) {
    self.id = id
    self.run = run
  }

  /// Reads the inputs; an unusable place is a fault if another one has tests.
  ///
  /// Without tests there is still a report when something was lost, as by a crash in the first test.
  ///
  /// - Parameters:
  ///   - recovered: By run folder.
  ///   - names: The user's, for errors.
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

  package var hasTests: Bool { inputs.contains { !$0.observations.isEmpty } }

  /// Names runs with the same name, such as shards, as the user did.
  private static func distinguish(_ all: inout [RunInputs]) {
    let folders = Dictionary(grouping: all.map(\.id), by: \.name).mapValues { Set($0.map(\.folder)).count }
    for index in all.indices where folders[all[index].id.name, default: 0] > 1 && !all[index].name.isEmpty {
      let name = all[index].name
      all[index].id.name = name
      all[index].run?.name = name
    }
  }

  /// Moves source locations of runs from elsewhere into the first run's package.
  private static func rebase(_ all: inout [RunInputs]) {
    guard let root = all.lazy.compactMap(\.packageFolder).first else { return }
    var other: String?
    for index in all.indices {
      // A run's reruns follow it.
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

  mutating func add(_ input: consuming InputTests, of invocation: String) {
    input.invocation = invocation
    inputs.append(input)
  }

  private mutating func sortTests() {
    for input in inputs.indices {
      var order = inputs[input].observations.sortedPlaces
      inputs[input].observations.arrange(&order)
    }
  }

  // MARK: - What only the whole run tells

  var hasTargetRunners: Bool {
    inputs.contains(where: \.hasTargetRunners)
      || invocations.contains { $0.arguments.contains { $0.hasSuffix("swiftbuild") } }
  }

  /// Limits event streams and xunit files to their modules, since each runner overwrote the one before.
  mutating func limitOverwritten() {
    for index in inputs.indices where inputs[index].kind != .log {
      inputs[index].coverage.limit(to: Set(inputs[index].observations.map(\.id.module)))
    }
  }

  /// How many printed tests no input has.
  func unrecorded(_ framework: TestFramework) -> Int {
    let ran = outputs.reduce(0) { $0 + min($1.summarised[framework] ?? 0, 1 << 40) }
    guard ran > 0 else { return 0 }
    let read = inputs.lazy.filter { $0.kind != .console }.flatMap(\.observations).filter {
      $0.framework == framework
    }
    // Swift Testing counts functions, not cases.
    return ran - Set(read.map(\.id.function)).count
  }

  /// Adds failures from the console when other inputs lack tests; its other lines may be a test's own.
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

  /// What the inputs tell of tests in which their process died.
  var crashedTests: [Observation] { inputs.flatMap { $0.observations.filter { $0.outcome == .crashed } } }

  mutating func decideCrashes() {
    for input in inputs.indices {
      for output in outputs {
        for backtrace in output.backtraces { inputs[input].applyBacktrace(backtrace) }
        inputs[input].applyFatalErrors(output.fatalErrors)
      }
      if invocations.contains(where: { $0.signal != nil }) { inputs[input].markInterrupted() }
      for output in outputs { inputs[input].applyOutputs(output.stopped, signals: Set(output.signals)) }
    }
    excuseCrashes()
  }

  /// Makes notices of what is lost by a crash whose test is known: inputs that stop, and databases in memory.
  private mutating func excuseCrashes() {
    let deaths = inputs.flatMap(\.deaths)
    if deaths.isEmpty { return }
    let tests = crashedTests
    let crashed = Set(tests.map(\.id))
    // A process that died without a log is not explained by another one's crash.
    guard outputs.reduce(0, { $0 + $1.signals.count }) <= crashed.count else { return }
    // An input can be cut off by something else.
    let hasSucceeded = !invocations.isEmpty && invocations.allSatisfy { $0.status == 0 && $0.signal == nil }
    let logged = deaths.filter { $0.isLogged && !crashed.isDisjoint(with: $0.running) }
    func isExplained(_ death: ProcessDeath) -> Bool {
      if death.isLogged || !hasSucceeded { return !crashed.isDisjoint(with: death.running) }
      // A test can end its process by exit.
      return logged.contains { !$0.running.intersection(crashed).isDisjoint(with: death.running) }
    }
    for input in inputs.indices {
      for death in inputs[input].deaths where isExplained(death) {
        inputs[input].remarks.excuse(
          [.logEndedEarly, .eventStreamEndedEarly, .memoryLost], in: death.input)
        inputs[input].note(death, in: crashed)
      }
    }
    guard deaths.allSatisfy(isExplained) else { return }
    crashes = crashed.sorted()
    let frameworks = Set(tests.compactMap(\.framework))
    let ending = "-swift-testing.xml"
    // Alone, a file without that ending can be of either.
    let haveNames = inputs.contains { $0.kind == .xunit && $0.name.hasSuffix(ending) }
    for input in inputs.indices where inputs[input].kind == .xunit {
      let isOfSwiftTesting = inputs[input].name.hasSuffix(ending)
      if !haveNames || frameworks.contains(isOfSwiftTesting ? .swiftTesting : .xctest) {
        inputs[input].remarks.excuse([.truncatedXML])
      }
    }
  }
}

extension InputTests {
  /// Tells the tests that ran beside it in which one their process died.
  fileprivate mutating func note(_ death: ProcessDeath, in crashed: Set<TestCaseID>) {
    guard let crash = crashed.intersection(death.running).min() else { return }
    for index in observations.indices
    where observations[index].outcome == .unfinished && death.running.contains(observations[index].id) {
      observations[index].endedBy = crash
    }
  }

  /// An interrupted test did not crash.
  fileprivate mutating func markInterrupted() {
    for index in observations.indices {
      guard observations[index].outcome == .crashed else { continue }
      observations[index].outcome = OutcomeTable.ofInterrupted(.crashed, issues: observations[index].issues)
    }
  }
}

extension [Observation] {
  /// - Parameter order: The source index for each place.
  fileprivate mutating func arrange(_ order: inout [Int]) {
    // `Array.swapAt` would copy both elements.
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
