import Collector
import ExhibitSQLite
import ReportModel
import ReportPlaces
import ReportStory

/// The story of a test in report.json, within limits: what is beyond is counted.
extension JSONText {
  /// Changes that are written of one step.
  private static let mostChanges = 20
  /// Bytes of a statement or a value.
  private static let longestText = 2000

  /// - Parameters:
  ///   - sources: The text of source lines.
  ///   - steps: The number of last steps that are written.
  mutating func write(_ story: Story?, _ sources: [SourceReference: String], steps: Int) {
    object("story", of: story) { json, story in
      let told = ToldStep.all(in: story)
      let last = Array(told.suffix(steps))
      var stacks: [CallStack] = []
      for stack in last.compactMap(\.step.stack) where !stack.frames.isEmpty && !stacks.contains(stack) {
        stacks.append(stack)
      }
      json.member("advice", story.advice)
      json.member("changes", story.changeText(orElse: ""))
      json.array("databases", story.databases) { $0.element($1.path ?? $1.name) }
      json.objects("lines", story.lines) { $0.write($1, sources) }
      json.member("missing", story.missing)
      json.array("notices", story.notices) { $0.element($1) }
      json.member("omitted", told.count - last.count)
      json.object("passed", of: story.comparison) { $0.write($1) }
      json.member("source", story.source.rawValue)
      json.objects("stacks", stacks) { $0.write($1) }
      json.objects("steps", last) { $0.write($1, stacks) }
      json.objects("why", story.explanations) { json, explanation in
        json.member("certainty", explanation.certainty.rawValue)
        json.array("places", explanation.places) { $0.element($1.text) }
        json.member("sentence", explanation.text)
        json.array("steps", explanation.steps) { $0.element($1) }
      }
    }
  }

  /// Rows of a comparison that are written.
  private static let mostCompared = 100

  private mutating func write(_ comparison: PassComparison) {
    member("alike", comparison.alike)
    objects("changes", comparison.changes) { json, change in
      json.member("commit", change.lastCommit?.hash)
      json.array("lines", change.lines) { $0.element($1) }
      json.member("newCount", change.newCount)
      json.member("newStart", change.newStart)
      json.member("oldCount", change.oldCount)
      json.member("oldStart", change.oldStart)
      json.member("path", change.path)
      json.member("subject", change.lastCommit?.subject)
    }
    member("commit", comparison.origin.commit?.hash)
    member("different", comparison.different)
    member("first", comparison.first)
    member("origin", comparison.origin.text)
    objects("rows", Array(comparison.rows.prefix(Self.mostCompared))) { json, row in
      json.member("alike", row.alike)
      json.member("difference", row.words.isEmpty ? nil : row.words.text)
      json.object("failed", of: row.failed) { $0.write($1) }
      json.object("passed", of: row.passed) { $0.write($1) }
    }
    member("tooDifferent", comparison.isTooDifferent)
  }

  private mutating func write(_ side: PassComparison.Side) {
    member("number", side.number)
    member("place", side.place?.text)
    member("sql", Self.cut(side.statement))
  }

  private mutating func write(_ told: ToldStep, _ stacks: [CallStack]) {
    let step = told.step
    member("changed", told.changed)
    objects("changes", Array(told.changes.prefix(Self.mostChanges))) { json, told in
      let (table, change) = told
      json.member("database", table.database)
      json.member("depth", change.depth)
      json.member("key", (change.newKey ?? change.key).map(Int.init))
      json.values("new", change.new)
      json.values("old", change.old)
      json.member("operation", change.operation.rawValue)
      json.member("table", table.name)
    }
    member("connection", step.connection)
    member("database", step.database)
    member("duration", step.duration)
    member("error", step.error?.message)
    array("marks", step.marks) { $0.element($1.word) }
    member("number", step.number)
    member("part", told.part)
    member("rows", told.rows)
    member("running", step.isRunning)
    member("sql", step.commit == nil ? Self.cut(step.expanded ?? step.sql) : nil)
    member("stack", step.stack.flatMap(stacks.firstIndex))
    member("state", told.state)
    member("time", step.time)
    member("times", told.times)
    object("transaction", of: step.commit) { json, commit in
      json.member("changes", commit.text)
      json.member("number", commit.number)
      json.member("pages", commit.pages)
    }
  }

  /// Values of a row, each cut.
  mutating func values(_ key: StaticString, _ values: [DatabaseValue?]) {
    array(key, values) { $0.write(nil, Self.cut($1)) }
  }

  private static func cut(_ value: DatabaseValue?) -> DatabaseValue? {
    value?.shown(limit: longestText, blobLimit: longestText)
  }

  private static func cut(_ text: String) -> String {
    text.utf8.count <= longestText
      ? text : String(decoding: text.utf8.prefix(longestText), as: UTF8.self) + "…"
  }

  // MARK: - Places

  /// Places that are written of one stack, the innermost ones.
  private static let mostPlaces = 30

  /// The package's own functions that led to a step, innermost first.
  mutating func write(_ stack: CallStack) {
    objects("places", Array(stack.frames.prefix(Self.mostPlaces))) { json, frame in
      json.member("file", frame.place.file)
      json.member("function", frame.place.name.function)
      json.member("line", frame.place.line)
      json.array("through", frame.through) { $0.element($1) }
    }
  }

  /// A line of the test's function.
  ///
  /// - Parameter sources: The text of source lines.
  mutating func write(_ line: TestLine, _ sources: [SourceReference: String]) {
    objects("called", line.called) { json, called in
      json.member("changes", called.sentence)
      json.member("errors", called.failures?.text)
      json.member("file", called.place.file)
      json.member("first", called.first)
      json.member("function", called.place.name.function)
      json.member("last", called.last)
      json.member("line", called.place.line)
      json.member("steps", called.steps)
    }
    member("changes", line.sentence)
    member("counted", line.counted)
    member("errors", line.failures?.text)
    member("failed", line.isFailure)
    member("file", line.place?.file)
    member("first", line.first)
    member("kind", line.kind.word)
    member("last", line.last)
    member("line", line.place?.line)
    array("notes", line.notes) { $0.element($1) }
    member("omitted", line.omittedCalled)
    member("source", line.place?.reference.flatMap { sources[$0] }?.trimmed)
    member("steps", line.steps)
    member("times", line.times)
  }
}

/// One step of a story with what is known of it by its place.
private struct ToldStep {
  var step: StoryStep
  var part: String
  var group: StoryGroup.State
  /// The number of times it ran, with the repeats of the statements around it.
  var times: Int
  var rows: Int?
  var changed: Int?

  var changes: [(table: StoryTable, change: RecordedStory.Change)] {
    (step.changes + step.consequences).flatMap { table in table.changes.map { (table.table, $0) } }
  }

  static func all(in story: Story) -> [ToldStep] {
    [("setUp", story.setUp), ("test", story.items), ("afterFailure", story.afterFailure)].flatMap {
      part, items in
      items.flatMap { item -> [ToldStep] in
        switch item {
        case .issue: []
        case .group(let group): steps(of: group, part, times: 1)
        case .repeated(let repeated): repeated.first.flatMap { steps(of: $0, part, times: repeated.times) }
        }
      }
    }
  }

  private static func steps(of group: StoryGroup, _ part: String, times: Int) -> [ToldStep] {
    group.entries.flatMap { entry -> [ToldStep] in
      switch entry {
      case .issue: []
      case .step(let step):
        [
          ToldStep(
            step: step, part: part, group: group.state, times: times, rows: step.rows, changed: step.changed)
        ]
      case .repeated(let repeated):
        repeated.first.enumerated().map { index, step in
          ToldStep(
            step: step, part: part, group: group.state, times: repeated.times * times,
            rows: repeated.rows[index], changed: repeated.changed[index])
        }
      }
    }
  }

  /// The end state in report.json.
  var state: String {
    switch (step.undone, group) {
    case (.failed, _): "failed"
    case (.rolledBack, _), (.rolledBackTo, _), (nil, .rolledBack): "rolledBack"
    case (nil, .open): "open"
    case (nil, .committed), (nil, .inWAL): "committed"
    case (nil, .unexplained): "unexplained"
    case (nil, .single): step.error == nil ? "single" : "failed"
    }
  }
}

extension StoryMark {
  /// As report.json names it.
  fileprivate var word: String {
    switch self {
    case .changedNothing: "changedNothing"
    case .triggerChangedNothing: "triggerChangedNothing"
    case .swallowedError: "swallowedError"
    case .readNothing: "readNothing"
    case .tookAlong: "tookAlong"
    case .staleRead: "staleRead"
    case .otherDatabase: "otherDatabase"
    }
  }
}

extension TestLine.Kind {
  /// As report.json names it.
  fileprivate var word: String {
    switch self {
    case .setUp: "setUp"
    case .line: "line"
    case .elsewhere: "elsewhere"
    }
  }
}
