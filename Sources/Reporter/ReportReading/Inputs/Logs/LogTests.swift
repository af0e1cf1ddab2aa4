import Collector
import ReportModel

/// The tests of one process, read from its log.
struct LogTests {
  var name: String
  /// Paths of evidence start here, and must not lead out.
  private var recordsFolder: String
  private(set) var remarks = Remarks()
  private(set) var fixtures: [FixtureUse] = []
  private(set) var issuesOutside: [IssueOutside] = []
  private var sentencesOutside: Set<String> = []
  private let header: ProcessHeader?
  private(set) var traceInMemory: LoggedTrace?
  private(set) var passesLeftOut: PassesLeftOut?
  private var usedDatabases: Set<TestCaseID> = []
  private var tests: [TestCaseID: LoggedTest] = [:]
  private var order: [TestCaseID] = []
  private var functions: [TestCaseID: (start: FunctionStart, time: Double)] = [:]
  private let process: String?
  /// `nil` where its process ended in order.
  private(set) var death: ProcessDeath?

  init(_ contents: LogContents, name: String, runFolder: String, recovered: RecoveredLog? = nil) {
    self.name = name
    recordsFolder = runFolder
    header = contents.header
    process = contents.header.map { "Process \($0.pid)" }
    for problem in contents.problems { note(problem) }
    for record in contents.records { Self.meanings.tell(record, to: &self) }
    for part in recovered?.parts ?? [] {
      recordsFolder = part.folder
      for record in part.records { Self.meanings.tell(record, to: &self) }
    }
    close(contents)
  }

  var observations: [Observation] {
    order.compactMap { id in tests[id]?.observation(id: id, process: process) }
  }

  var frameworks: Set<TestFramework> { Set(header?.frameworks ?? [.xctest]) }

  var hasSomeOfSwiftTesting: Bool {
    !frameworks.contains(.swiftTesting) && tests.values.contains { $0.start?.framework == .swiftTesting }
  }

  /// True where it runs one target's tests: SwiftPM's build system `swiftbuild` gives each a runner.
  var isOfTargetRunner: Bool { header?.executable.hasSuffix("-test-runner") ?? false }

  var modules: Set<String> { Set(order.map(\.module)) }

  static let kinds = meanings.kinds

  private static let meanings = LogMeanings<LogTests>([
    LogMeaning(TestStart.self) { log, start, record in
      log.ofTest(record) { $0.begin(start, at: record.time) }
    },
    LogMeaning(TestEnd.self) { log, end, record in log.ofTest(record) { $0.finish(end) } },
    LogMeaning(FunctionStart.self) { log, start, record in
      if let id = record.test { log.functions[id] = (start, record.time) }
    },
    LogMeaning(FunctionEnd.self) { log, _, record in
      if let id = record.test { log.functions[id] = nil }
    },
    LogMeaning(RecordedIssue.self) { log, issue, record in log.add(issue, record) },
    LogMeaning(CapturedEvidence.self) { log, evidence, record in
      let folder = log.recordsFolder
      log.ofTest(record) { $0.add(ObservedEvidence(evidence, runFolder: folder)) }
    },
    LogMeaning(CaptureFailure.self) { log, failure, record in
      log.ofTest(record) { $0.evidence.append(ObservedEvidence(failure)) }
      log.note(failure, test: record.test)
    },
    LogMeaning(UsedFixture.self) { log, fixture, record in
      log.fixtures.append(FixtureUse(test: record.test, fixture: fixture))
      log.ofTest(record)
    },
    // These are not of tests, but their lines must be valid.
    LogMeaning(DatabaseOpening.self) { log, _, record in log.noteUse(of: record.test) },
    LogMeaning(DatabaseAttaching.self) { _, _, _ in },
    LogMeaning(DatabaseUse.self) { log, _, record in log.noteUse(of: record.test) },
    LogMeaning(DatabaseClosing.self) { _, _, _ in },
    LogMeaning(ExcludedTables.self) { _, _, _ in },
    LogMeaning(PassesLeftOut.self) { log, leftOut, _ in log.passesLeftOut = leftOut },
    LogMeaning(TraceInMemory.self) { log, trace, _ in
      log.traceInMemory = LoggedTrace(trace: trace, isLost: false)
    },
  ])

  private mutating func ofTest(_ record: LogRecord, _ change: (inout LoggedTest) -> Void = { _ in }) {
    guard let id = record.test else { return }
    if tests[id] == nil { order.append(id) }
    change(&tests[id, default: LoggedTest()])
  }

  private mutating func noteUse(of test: TestCaseID?) {
    if let test { usedDatabases.insert(test) }
  }

  private mutating func add(_ issue: RecordedIssue, _ record: LogRecord) {
    let told = TestIssue(issue)
    if record.test == nil, told.isFailure { addOutside(told) }
    ofTest(record) { $0.issues.append(told) }
  }

  private mutating func addOutside(_ issue: TestIssue) {
    let outside = IssueOutside(issue: issue, input: name)
    // Swift Testing delivers an issue from a detached task twice.
    let isNew = sentencesOutside.insert(outside.sentence).inserted
    if isNew || !frameworks.contains(.swiftTesting) { issuesOutside.append(outside) }
  }

  /// Decides unfinished tests' outcome: a dead process's only open test crashed.
  private mutating func close(_ contents: LogContents) {
    // The search is slow and rarely needed.
    if !functions.isEmpty {
      for id in contents.openTests.sorted() where tests[id] == nil { begin(id) }
    }
    let open = order.filter { tests[$0]?.isOpen == true }
    let isEnded = contents.isEnded
    let outcome = OutcomeTable.ofOpenTest(among: open.count, hasEnded: isEnded)
    for id in open { tests[id]?.end = .open(outcome) }
    // No end is known of a log that was not read.
    guard !isEnded, contents.header != nil else { return }
    death = ProcessDeath(input: name, running: contents.openTests.union(open))
    let running = Self.sentence(onRunning: contents.openTests)
    remarks.fault(
      .logEndedEarly,
      contents.hasExited
        ? "The process ended by exit in the middle of a test: \(running)."
        : "The log stops before its end: its process died; \(running).", input: name)
    noteLostSteps(of: open)
  }

  private mutating func begin(_ id: TestCaseID) {
    guard let (start, time) = functions[id] else { return }
    order.append(id)
    tests[id, default: LoggedTest()].begin(
      TestStart(
        framework: .swiftTesting, displayName: start.displayName, file: start.file, line: start.line),
      at: time)
  }

  private mutating func noteLostSteps(of open: [TestCaseID]) {
    if traceInMemory != nil {
      traceInMemory?.isLost = true
      return
    }
    let lost = open.filter { id in
      // A function as a whole has no number.
      guard let test = tests[id], let start = test.start, start.number > 0 else { return false }
      return usedDatabases.contains(id) && !test.evidence.contains { $0.kind == .story }
    }
    guard !lost.isEmpty else { return }
    remarks.notice(
      .traceMissing,
      "The process died and no trace of its steps was found, so that what \(counted(lost.count, "test")) did to "
        + "databases is not told. With EXHIBIT_TRACE=off, or EXHIBIT_CAPTURE other than all, there is none.",
      input: name)
  }

  private static func sentence(onRunning tests: Set<TestCaseID>) -> String {
    let names = tests.map(\.description).sorted()
    let list = listed(names, most: mostNamed)
    return names.isEmpty
      ? "no test was running" : names.count == 1 ? "\(list) was running" : "running were \(list)"
  }

  private static let mostNamed = 20

  private mutating func note(_ failure: CaptureFailure, test: TestCaseID?) {
    let owner = test.map { "\($0): " } ?? ""
    remarks.fault(
      failure.isOfLostMemory ? .memoryLost : .captureFailed,
      "\(owner)\(failure.name) was not captured: \(failure.message)", input: name)
  }

  private mutating func note(_ problem: LogProblem) {
    let (kind, sentence): (Remark.Kind, String) =
      switch problem {
      case .format(let refusal): (.otherFormat, "\(refusal)")
      case .headerMissing: (.logDamaged, "The first line of the log is not that of a process.")
      case .unreadableLine(let number):
        (.logDamaged, "Line \(number) of the log is not a record and was left out.")
      case .moreUnreadableLines(let count):
        (.logDamaged, "\(counted(count, "more line")) of the log \(count == 1 ? "is" : "are") not a record.")
      case .partialLastLine: (.logDamaged, "The last line of the log was not written to its end.")
      }
    remarks.fault(kind, sentence, input: name)
  }
}

private struct LoggedTest {
  enum End {
    case finished(TestEnd)
    case open(Outcome)
  }

  var start: TestStart?
  var startTime: Double?
  var end: End?
  var issues: [TestIssue] = []
  var evidence: [ObservedEvidence] = []

  var isOpen: Bool { start != nil && end == nil }

  mutating func begin(_ start: TestStart, at time: Double) {
    // A test may run several times in a process.
    if case .finished(let earlier) = end, earlier.outcome == .passed { end = nil }
    self.start = start
    startTime = time
  }

  /// A story replaces its earlier, incomplete record.
  mutating func add(_ captured: ObservedEvidence) {
    let known = evidence.firstIndex { $0.kind == .story && $0.content == captured.content }
    if let known { evidence[known] = captured } else { evidence.append(captured) }
  }

  mutating func finish(_ end: TestEnd) {
    if self.end == nil { self.end = .finished(end) }
  }

  func observation(id: TestCaseID, process: String?) -> Observation {
    var observation = Observation(
      id: id, framework: start?.framework, displayName: start?.displayName, outcome: .unfinished,
      location: start.flatMap { SourceReference(file: $0.file, line: $0.line) }, issues: issues,
      observed: evidence)
    if let process, let startTime { observation.span = TestSpan(process: process, start: startTime) }
    switch end {
    case .finished(let end):
      observation.outcome = OutcomeTable.ofLoggedEnd(end.outcome, issues: issues)
      observation.duration = end.duration.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
      if end.outcome != .failed { return observation }
    case .open(let outcome): observation.outcome = OutcomeTable.ofOpenTest(outcome, issues: issues)
    // Without a start only its issues decide.
    case nil: observation.outcome = OutcomeTable.ofLoggedEnd(nil, issues: issues)
    }
    for index in observation.observed.indices { observation.observed[index].mayBeDropped = false }
    return observation
  }
}

extension TestIssue {
  fileprivate init(_ issue: RecordedIssue) {
    self.init(
      message: issue.message, location: SourceReference(file: issue.file, line: issue.line),
      severity: issue.severity, isKnown: issue.known)
  }
}

extension ObservedEvidence {
  fileprivate init(_ evidence: CapturedEvidence, runFolder: String) {
    self.init(
      kind: evidence.kind, name: evidence.name,
      content: .file(ContainedPath(folder: runFolder, path: evidence.path)),
      mayBeDropped: evidence.keep == .onFailure, source: evidence.source, details: evidence.details)
  }

  fileprivate init(_ failure: CaptureFailure) {
    self.init(
      kind: failure.kind, name: failure.name, content: .failure(failure.message), source: failure.source)
  }
}
