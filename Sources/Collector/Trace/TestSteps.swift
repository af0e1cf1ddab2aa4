package import ExhibitSQLite

/// What one test did, taken out of the ring of its process: its steps in their order, with their results, changes and
/// errors.
package struct TestSteps: Sendable, Equatable {
  /// Whose steps are wanted.
  package struct Subject: Sendable {
    /// The serial of the test in its process.
    package var test: Int
    /// Connections that nobody but the test uses: what unknown threads do on them is the test's.
    package var ownConnections: Set<Int>
    /// Connections that it shares: what unknown threads do on them is told, and of nobody.
    package var sharedConnections: Set<Int>
    /// The number of the last step before the test began; `nil` when that is not known.
    package var stepsBefore: UInt64?

    package init(
      test: Int, ownConnections: Set<Int> = [], sharedConnections: Set<Int> = [], stepsBefore: UInt64? = nil
    ) {
      self.test = test
      self.ownConnections = ownConnections
      self.sharedConnections = sharedConnections
      self.stepsBefore = stepsBefore
    }
  }

  package enum Owner: String, Sendable {
    case test
    /// Nobody knows who ran it, but the connection is the test's alone.
    case connection
    /// Nobody knows who ran it.
    case nobody
  }

  package struct Step: Sendable, Equatable {
    package var begin: TraceRecord.Step
    /// `nil` when it was overwritten.
    package var text: TraceText?
    /// Nanoseconds since the ring was made.
    package var time: UInt64
    package var connection: Int
    package var owner: Owner
    /// `nil` while it runs.
    package var end: TraceRecord.End?
    package var error: TraceRecord.Failure?
    /// In the order in which they first ran.
    package var triggers: [String] = []
    package var columns: [String] = []
    package var rows: [[DatabaseValue?]] = []
    package var changes: [TraceRecord.Change] = []
  }

  /// Something beside statements, behind the step of that number.
  package struct Mark: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
      case issue(Int)
      case baseline
      case closed(connection: Int)
    }

    package var kind: Kind
    package var after: UInt64
  }

  package private(set) var steps: [Step] = []
  package private(set) var marks: [Mark] = []
  /// Nanoseconds since the ring was made, when the test began, or when the first thing known of it happened.
  package private(set) var start: UInt64 = 0
  /// Steps that are known to be missing at the beginning, other tests' maybe among them.
  package private(set) var missing: UInt64 = 0
  /// Why everything before a moment is gone; `nil` when nothing was cleared.
  package private(set) var cleared: String?

  /// Takes the steps of a test out of a ring.
  package init(of subject: Subject, in image: TraceImage) {
    var sorting = Sorting(subject: subject, texts: image.texts, isWhole: image.overwrittenSteps == 0)
    for record in image.records { sorting.add(record) }
    steps = sorting.steps
    marks = sorting.marks
    start = sorting.start ?? steps.first?.time ?? 0
    cleared = sorting.cleared
    guard cleared != nil || (sorting.start == nil && image.overwrittenSteps > 0) else { return }
    guard let before = subject.stepsBefore else {
      missing = sorting.start == nil ? max(1, image.overwrittenSteps) : 0
      return
    }
    let last = steps.first.map { $0.begin.number &- 1 } ?? sorting.lastNumber ?? before
    missing = steps.first?.begin.number != 0 && last > before ? last - before : 0
  }
}

/// One pass over the records of a ring.
private struct Sorting {
  let subject: TestSteps.Subject
  let texts: [UInt64: TraceText]
  /// Whether nothing was overwritten: a test whose beginning is not in the ring began before its first statement.
  let isWhole: Bool
  var steps: [TestSteps.Step] = []
  var marks: [TestSteps.Mark] = []
  var start: UInt64?
  var cleared: String?
  /// Of any test.
  var lastNumber: UInt64?
  /// Of the steps.
  private var connections: Set<Int> = []
  /// Triggers that are kept of one step.
  private static let mostTriggers = 1000
  /// Places of steps, by their numbers.
  private var places: [UInt64: Int] = [:]

  init(subject: TestSteps.Subject, texts: [UInt64: TraceText], isWhole: Bool) {
    self.subject = subject
    self.texts = texts
    self.isWhole = isWhole
  }

  mutating func add(_ record: TraceRecord) {
    switch record.content {
    case .step(let step): begin(step, record)
    case .trigger(let step, let name):
      change(step) {
        guard $0.triggers.count < Self.mostTriggers, !$0.triggers.contains(name) else { return }
        $0.triggers.append(name)
      }
    case .columns(let step, let names): change(step) { $0.columns = names }
    case .row(let step, let values): change(step) { $0.rows.append(values) }
    case .change(let told): change(told.step) { $0.changes.append(told) }
    case .end(let end): change(end.step) { $0.end = end }
    case .error(let failure): change(failure.step) { $0.error = failure }
    case .began where record.test == subject.test: start = start ?? record.time
    case .issue(let ordinal) where record.test == subject.test: mark(.issue(ordinal))
    case .baseline where record.test == subject.test: mark(.baseline)
    case .closed where isOwn(record.connection): mark(.closed(connection: record.connection))
    case .cleared(let reason): cleared = reason
    case .text, .closed, .began, .ended, .issue, .baseline, .unknown: break
    }
  }

  private func isOwn(_ connection: Int) -> Bool {
    subject.ownConnections.contains(connection) || subject.sharedConnections.contains(connection)
      || connections.contains(connection)
  }

  private func owner(of record: TraceRecord) -> TestSteps.Owner? {
    if record.test == subject.test { return .test }
    guard record.test == 0, start != nil || isWhole else { return nil }
    if subject.ownConnections.contains(record.connection) { return .connection }
    return subject.sharedConnections.contains(record.connection) ? .nobody : nil
  }

  private mutating func begin(_ step: TraceRecord.Step, _ record: TraceRecord) {
    lastNumber = max(lastNumber ?? 0, step.number)
    guard let owner = owner(of: record) else { return }
    places[step.number] = steps.count
    connections.insert(record.connection)
    steps.append(
      TestSteps.Step(
        begin: step, text: texts[step.text], time: record.time, connection: record.connection, owner: owner))
  }

  private mutating func change(_ step: UInt64, _ body: (inout TestSteps.Step) -> Void) {
    guard let place = places[step] else { return }
    body(&steps[place])
  }

  private mutating func mark(_ kind: TestSteps.Mark.Kind) {
    marks.append(TestSteps.Mark(kind: kind, after: lastNumber ?? 0))
  }
}
