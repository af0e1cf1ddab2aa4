/// One test's steps from its process's ring.
package struct TestSteps: Sendable {
  package struct Subject: Sendable {
    package var test: Int
    /// Connections of this test only, even for unknown threads.
    package var ownConnections: Set<Int>
    /// Connections shared with others, on which unknown threads belong to nobody.
    package var sharedConnections: Set<Int>
    package var stepsBefore: UInt64?
    /// Ended tests by number, whose work may have gone on.
    package var ended: [Int: TestCaseID] = [:]

    package init(
      test: Int, ownConnections: Set<Int> = [], sharedConnections: Set<Int> = [], stepsBefore: UInt64? = nil
    ) {
      self.test = test
      self.ownConnections = ownConnections
      self.sharedConnections = sharedConnections
      self.stepsBefore = stepsBefore
    }
  }

  package private(set) var steps: [RecordedStory.Step] = []
  package private(set) var marks: [any MarkBetweenSteps] = []
  package private(set) var missing: UInt64 = 0
  /// Why the steps before these are gone, if steps may be that the test did.
  package private(set) var cleared: String?

  /// Of present and missing steps.
  package private(set) var stacks: [RecordedStory.Stack] = []
  package private(set) var code: [RecordedStory.Code] = []
  package private(set) var left: [RecordedStory.Left] = []
  package private(set) var overwritten: [RecordedStory.Overwritten] = []

  package init(of subject: Subject, in image: TraceImage) {
    var overwritten = OverwrittenSteps(of: subject, in: image)
    var sorting = Sorting(subject: subject, texts: image.texts, isWhole: image.overwrittenSteps == 0)
    for record in image.records where !overwritten.take(record) { sorting.add(record) }
    sorting.setTimes()
    steps = sorting.steps
    marks = sorting.marks
    cleared = sorting.mayLack(from: subject) ? sorting.cleared : nil
    self.overwritten = overwritten.told(image.texts)
    left = Self.left(by: subject, in: image)
    addStacks(of: image)
    missing = overwritten.count
  }
}

private struct OverwrittenSteps {
  private struct Kind: Hashable {
    var test: Int
    var connection: Int
    var text: UInt64
    var stack: UInt64?

    init(_ record: TraceRecord, _ text: UInt64, _ stack: UInt64?) {
      (test, connection) = (record.test, record.connection)
      (self.text, self.stack) = (text, stack)
    }
  }

  private let test: Int
  private var counts: [Kind: TraceRecord.Overwritten] = [:]
  /// The last missing step, if known; the ring is about to lose what it has of earlier ones.
  private var last: UInt64 = 0
  /// The test's steps before the first present one.
  private var before: UInt64?

  init(of subject: TestSteps.Subject, in image: TraceImage) {
    test = subject.test
    for record in image.overwritten {
      guard case .overwritten(let overwritten) = record.content else { continue }
      let isNobodys =
        record.test == 0 && subject.ownConnections.contains(record.connection)
        && overwritten.first > subject.stepsBefore ?? .max
      guard record.test == test || isNobodys else { continue }
      let kind = Kind(record, overwritten.text, overwritten.stack)
      counts[kind] = overwritten.steps > 0 ? overwritten : nil
      if !isNobodys { last = max(last, overwritten.last) }
    }
    if image.damage == nil { noteGap(in: image) }
  }

  /// Treats steps before a gap as missing, which a dying process had not counted.
  private mutating func noteGap(in image: TraceImage) {
    var next: UInt64?
    for record in image.records.reversed() where record.test == test {
      guard case .step(let step) = record.content, step.number > last, let ordinal = step.ordinal
      else { continue }
      if let next, next != ordinal &+ 1 {
        last = step.number
        return
      }
      (next, before) = (ordinal, ordinal - 1)
    }
  }

  mutating func take(_ record: TraceRecord) -> Bool {
    guard record.test == test, case .step(let step) = record.content, step.number <= last
    else { return false }
    let kind = Kind(record, step.text, step.stack)
    var overwritten =
      counts[kind]
      ?? .init(text: step.text, stack: step.stack, steps: 0, rows: 0, first: step.number, last: step.number)
    overwritten.steps = overwritten.steps &+ 1
    overwritten.first = min(overwritten.first, step.number)
    counts[kind] = overwritten
    return true
  }

  /// Steps without an owner are counted; the first present step tells the number of the test's own.
  var count: UInt64 {
    counts.reduce(before ?? 0) { sum, overwritten in
      guard overwritten.key.test == 0 || before == nil else { return sum }
      let (sum, isTooLarge) = sum.addingReportingOverflow(overwritten.value.steps)
      return isTooLarge ? .max : sum
    }
  }

  func told(_ texts: [UInt64: TraceText]) -> [RecordedStory.Overwritten] {
    counts.filter { $0.key.text != .max }.map { kind, count in
      RecordedStory.Overwritten(
        sql: texts[kind.text]?.told ?? "", stack: kind.stack.map { Int(clamping: $0) },
        connection: kind.connection, steps: Int(clamping: count.steps), rows: Int(clamping: count.rows),
        first: Int(clamping: count.first), last: Int(clamping: count.last))
    }.sorted { ($0.first, $0.sql) < ($1.first, $1.sql) }
  }
}

extension TestSteps {
  private static func left(by subject: Subject, in image: TraceImage) -> [RecordedStory.Left] {
    guard !subject.ended.isEmpty else { return [] }
    var left: [Int: RecordedStory.Left] = [:]
    for record in image.records {
      guard case .step(let step) = record.content, step.number > subject.stepsBefore ?? .max,
        let test = subject.ended[record.test]
      else { continue }
      let steps = (left[record.test]?.steps ?? 0) + 1
      let sql = image.texts[step.text]?.told ?? ""
      left[record.test] = RecordedStory.Left(test: test, steps: steps, sql: sql)
    }
    return left.sorted { $0.key < $1.key }.map(\.value)
  }

  private mutating func addStacks(of image: TraceImage) {
    let numbers = Set((steps.map(\.stack) + overwritten.map(\.stack) + marks.map(\.stack)).compactMap { $0 })
    var used: Set<UInt64> = []
    for number in numbers.sorted() {
      guard let stack = image.stacks[UInt64(number)] else { continue }
      var frames: [Int] = []
      for address in stack.addresses {
        guard let file = image.code.file(having: address) else { continue }
        used.insert(file.name)
        frames += [Int(clamping: file.name), Int(clamping: address - file.bias)]
      }
      stacks.append(RecordedStory.Stack(number: number, frames: frames))
    }
    code = image.code.filter { used.contains($0.name) }.map { RecordedStory.Code($0) }
  }
}

extension RecordedStory.Code {
  init(_ file: TraceCode) {
    self.init(
      number: Int(clamping: file.name), path: file.path, size: Int(clamping: file.size),
      changedAt: Int64(clamping: file.changedAt), buildID: file.buildID.isEmpty ? nil : file.buildID)
  }
}

private struct Sorting {
  let subject: TestSteps.Subject
  let texts: [UInt64: TraceText]
  /// True when nothing was overwritten: a test without a beginning began before its first statement.
  let isWhole: Bool
  private(set) var steps: [RecordedStory.Step] = []
  private var times: [UInt64] = []
  private var longTexts: Set<UInt64> = []
  var marks: [any MarkBetweenSteps] = []
  private(set) var start: UInt64?
  var cleared: String?
  /// Of the steps of all tests that were not cleared.
  private var firstNumber: UInt64?
  var lastNumber: UInt64?
  private var connections: Set<Int> = []
  private var openings: [Int: UInt64] = [:]
  private static let mostTriggers = 1000
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
    case .row(let step, let values): change(step) { $0.results.append(values) }
    case .change(let step, let told): change(step) { $0.changes.append(told) }
    case .end(let end): change(end.step) { $0.end(end) }
    case .error(let step, let failure): change(step) { $0.error = failure }
    case .began where record.test == subject.test: start = start ?? record.time
    case .issue(let ordinal) where record.test == subject.test:
      marks.append(RecordedStory.Issue(after: last, ordinal: ordinal))
    case .baseline where record.test == subject.test: marks.append(RecordedStory.Baseline(after: last))
    case .opened(let stack): openings[record.connection] = stack
    case .closed(let stack) where isOwn(record.connection):
      let stack = stack.map { Int(clamping: $0) }
      marks.append(RecordedStory.Closed(connection: record.connection, after: last, stack: stack))
    case .cleared(let reason): (cleared, firstNumber) = (reason, nil)
    case .values(let step, let text): change(step) { $0.expanded = text }
    case .text, .stack, .code, .overwritten, .closed, .began, .ended, .issue, .baseline, .unknown: break
    }
  }

  /// True when steps were done since the test began that are in the trace no longer.
  func mayLack(from subject: TestSteps.Subject) -> Bool {
    firstNumber.map { $0 > (subject.stepsBefore ?? 0) + 1 } ?? (start == nil)
  }

  private func isOwn(_ connection: Int) -> Bool {
    subject.ownConnections.contains(connection) || subject.sharedConnections.contains(connection)
      || connections.contains(connection)
  }

  private func owner(of record: TraceRecord) -> RecordedStory.Owner? {
    if record.test == subject.test { return .test }
    guard record.test == 0, start != nil || isWhole else { return nil }
    if subject.ownConnections.contains(record.connection) { return .connection }
    return subject.sharedConnections.contains(record.connection) ? .nobody : nil
  }

  private mutating func begin(_ step: TraceRecord.Step, _ record: TraceRecord) {
    lastNumber = max(lastNumber ?? 0, step.number)
    firstNumber = firstNumber ?? step.number
    guard let owner = owner(of: record) else { return }
    places[step.number] = steps.count
    connections.insert(record.connection)
    if let stack = openings.removeValue(forKey: record.connection) {
      let (before, stack) = (Int(clamping: step.number) - 1, Int(clamping: stack))
      marks.append(RecordedStory.Opened(connection: record.connection, after: before, stack: stack))
    }
    times.append(record.time)
    steps.append(RecordedStory.Step(step, on: record.connection, owner: owner, sql: sql(of: step)))
    if let end = step.end { change(end.step) { $0.end(end) } }
  }

  private mutating func change(_ step: UInt64, _ body: (RecordedStory.Step) -> Void) {
    guard let place = places[step] else { return }
    body(steps[place])
  }

  private var last: Int { Int(clamping: lastNumber ?? 0) }

  /// A longer text is in full at its first step only.
  private static let longestRepeated = 4096

  private mutating func sql(of step: TraceRecord.Step) -> String {
    guard let text = texts[step.text] else { return "-- The text was overwritten." }
    guard text.text.utf8.count > Self.longestRepeated, !longTexts.insert(step.text).inserted else {
      return text.told
    }
    let beginning = String(decoding: text.text.utf8.prefix(Self.longestRepeated), as: UTF8.self)
    return TraceText(beginning, size: text.size).told
  }

  mutating func setTimes() {
    let start = start ?? times.first ?? 0
    for (place, time) in times.enumerated() where time > start {
      steps[place].time = Double(time - start) / 1e9
    }
  }
}

extension TraceText {
  fileprivate var told: String {
    text.utf8.count < size ? "\(text)\n-- \(size - text.utf8.count) more bytes" : text
  }
}
