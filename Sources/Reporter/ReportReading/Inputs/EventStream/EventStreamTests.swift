import Collector
import ReportModel

struct EventStreamTests {
  let name: String
  let attachments: [String]
  private var remarks = Remarks()
  private var functions: [String: StreamedFunction] = [:]
  private var order: [String] = []
  private var isEnded = false
  private var isNewer = false
  private var issuesOutside: [IssueOutside] = []
  private var heardOutside: Set<HeardOutside> = []

  private struct HeardOutside: Hashable {
    var instant: Double?
    var message: String
    var location: SourceReference?
  }

  init(name: String, attachments: [String]) {
    self.name = name
    self.attachments = attachments
  }

  mutating func noteDamage(line: Int) {
    remarks.fault(
      .eventStreamDamaged, "Line \(line) of the event stream is not a record and was left out.", input: name)
  }

  mutating func add(_ record: EventStreamRecord) {
    switch record.payload {
    case .unknown: break
    case .newer(let version): noteNewer(version)
    case .test(let test): add(test)
    case .event(let event): add(event)
    }
  }

  private mutating func noteNewer(_ version: String) {
    guard !isNewer else { return }
    isNewer = true
    remarks.fault(
      .otherFormat,
      "The event stream has version \(version), newer than \(EventStreamRecord.newestVersion), which this "
        + "reporter reads; update reporter, or pass --event-stream-version 6.3.", input: name)
  }

  private mutating func add(_ test: EventStreamRecord.Test) {
    guard let id = identity(test.id) else { return }
    functions[test.id] = StreamedFunction(id: id, plan: test)
    order.append(test.id)
  }

  private mutating func add(_ event: EventStreamRecord.Event) {
    switch event.kind {
    case "runStarted": isEnded = false
    case "runEnded": isEnded = true
    default:
      guard let testID = event.testID else { return noteOutside(event) }
      if functions[testID] == nil {
        guard let id = identity(testID) else { return }
        functions[testID] = StreamedFunction(id: id, plan: nil)
        order.append(testID)
      }
      functions[testID]?.add(event, attachments: attachments)
    }
  }

  private mutating func identity(_ text: String) -> TestCaseID? {
    if let id = TestCaseID(eventStreamID: text) { return id }
    remarks.fault(.eventStreamDamaged, "The identity of a test cannot be read: \(text)", input: name)
    return nil
  }

  private mutating func noteOutside(_ event: EventStreamRecord.Event) {
    guard event.kind == "issueRecorded", let issue = event.issue else { return }
    let recorded = TestIssue(event, issue)
    guard recorded.isFailure else { return }
    // Swift Testing delivers an issue from a detached task twice.
    let outside = HeardOutside(
      instant: event.instant?.absolute, message: recorded.message, location: recorded.location)
    guard heardOutside.insert(outside).inserted else { return }
    issuesOutside.append(IssueOutside(issue: recorded, input: name))
  }

  mutating func finish() -> InputTests {
    let streamed = order.compactMap { functions[$0] }
    let open = streamed.reduce(0) { $0 + $1.openCount }
    let openOutcome = OutcomeTable.ofOpenTest(among: open, hasEnded: isEnded)
    let observations = streamed.flatMap { $0.observations(openOutcome: openOutcome) }
    if !isEnded && !isNewer { noteEarlyEnd(streamed) }
    noteSharedIdentities(streamed)
    var input = InputTests(
      kind: .eventStream, name: name, coverage: [.swiftTesting], endedProperly: isEnded,
      observations: observations, issuesOutside: issuesOutside, remarks: remarks)
    if !isEnded && !isNewer {
      let running = observations.filter { $0.outcome == openOutcome }
      input.deaths = [ProcessDeath(input: name, running: Set(running.map(\.id)), isLogged: false)]
    }
    return input
  }

  private mutating func noteEarlyEnd(_ streamed: [StreamedFunction]) {
    let running = streamed.filter { $0.openCount > 0 }.map(\.id.description).sorted()
    let waiting = streamed.filter(\.isWaiting).map(\.id.description).sorted()
    var message = "The event stream stops before its end: its process died."
    if !running.isEmpty { message += " Running: \(listed(running))." }
    if !waiting.isEmpty { message += " Not started: \(listed(waiting))." }
    remarks.fault(.eventStreamEndedEarly, message, input: name)
  }

  /// Notes that private functions of several files have one name, and so one identity.
  private mutating func noteSharedIdentities(_ streamed: [StreamedFunction]) {
    let shared = Dictionary(grouping: streamed.filter(\.isFunction), by: \.id).filter { $0.value.count > 1 }
    for id in shared.keys.sorted() {
      remarks.notice(
        .repeatedTest,
        "\(shared[id]?.count ?? 0) tests are named \(id); they are shown as one, the worst outcome "
          + "decides.", input: name)
    }
  }
}
