import Collector
import ExhibitSQLite
import ReportInspection
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
  ///   - steps: How many steps are written, the last ones.
  mutating func write(_ story: Story?, _ sources: [SourceReference: String], steps: Int) {
    guard let story else { return member("story", nil as String?) }
    let told = ToldStep.all(in: story)
    let last = Array(told.suffix(steps))
    let stacks = ToldStacks(of: last.map(\.step))
    object("story") { json in
      json.member("advice", story.advice)
      json.member("changes", story.changeText(orElse: ""))
      json.array("databases", story.databases) { $0.element($1.path ?? $1.name) }
      json.array("lines", story.lines) { $0.write($1, sources) }
      json.member("missing", story.missing)
      json.array("notices", story.notices) { $0.element($1) }
      json.member("omitted", told.count - last.count)
      json.write(story.comparison)
      json.member("source", story.source.rawValue)
      json.array("stacks", stacks.list) { $0.write($1) }
      json.array("steps", last) { $0.write($1, stacks) }
      json.array("why", story.explanations) { $0.write($1) }
    }
  }

  /// Rows of a comparison that are written.
  private static let mostCompared = 100

  private mutating func write(_ comparison: PassComparison?) {
    guard let comparison else { return member("passed", nil as String?) }
    object("passed") { json in
      json.member("alike", comparison.alike)
      json.array("changes", comparison.changes) { $0.write($1) }
      json.member("commit", comparison.origin.commit?.hash)
      json.member("different", comparison.different)
      json.member("first", comparison.first)
      json.member("origin", comparison.origin.text)
      json.array("rows", Array(comparison.rows.prefix(Self.mostCompared))) { $0.write($1) }
      json.member("tooDifferent", comparison.isTooDifferent)
    }
  }

  private mutating func write(_ row: PassComparison.Row) {
    object { json in
      json.member("alike", row.alike)
      json.member("difference", row.words.isEmpty ? nil : row.words.text)
      for (name, side) in [("failed", row.failed), ("passed", row.passed)]
        as [(StaticString, PassComparison.Side?)]
      {
        guard let side else {
          json.member(name, nil as String?)
          continue
        }
        json.object(name) { json in
          json.member("number", side.number)
          json.member("place", side.place?.text)
          json.member("sql", Self.cut(side.statement))
        }
      }
    }
  }

  private mutating func write(_ change: ChangedLines) {
    object { json in
      json.member("commit", change.lastCommit?.hash)
      json.array("lines", change.lines) { $0.element($1) }
      json.member("newCount", change.newCount)
      json.member("newStart", change.newStart)
      json.member("oldCount", change.oldCount)
      json.member("oldStart", change.oldStart)
      json.member("path", change.path)
      json.member("subject", change.lastCommit?.subject)
    }
  }

  private mutating func write(_ explanation: Explanation) {
    object { json in
      json.member("certainty", explanation.certainty.rawValue)
      json.array("places", explanation.places) { $0.element($1.text) }
      json.member("sentence", explanation.text)
      json.array("steps", explanation.steps) { $0.element($1) }
    }
  }

  private mutating func write(_ told: ToldStep, _ stacks: ToldStacks) {
    let step = told.step
    object { json in
      json.member("changed", told.changed)
      json.array("changes", told.changes.prefix(Self.mostChanges).map { $0 }) { $0.write($1) }
      json.member("connection", step.connection)
      json.member("database", step.database)
      json.member("duration", step.duration)
      json.member("error", step.error?.message)
      json.array("marks", step.marks) { $0.element($1.word) }
      json.member("number", step.number)
      json.member("part", told.part)
      json.member("rows", told.rows)
      json.member("running", step.isRunning)
      json.member("sql", step.commit == nil ? Self.cut(step.expanded ?? step.sql) : nil)
      json.member("stack", stacks[step])
      json.member("state", told.state)
      json.member("time", step.time)
      json.member("times", told.times)
      if let commit = step.commit {
        json.object("transaction") { json in
          json.member("changes", commit.text)
          json.member("number", commit.number)
          json.member("pages", commit.pages)
        }
      } else {
        json.member("transaction", nil as String?)
      }
    }
  }

  private mutating func write(_ change: (table: StoryTable, change: RecordedStory.Change)) {
    object { json in
      json.member("database", change.table.database)
      json.member("depth", change.change.depth)
      json.member("key", (change.change.newKey ?? change.change.key).map(Int.init))
      json.values("new", change.change.new)
      json.values("old", change.change.old)
      json.member("operation", change.change.operation.rawValue)
      json.member("table", change.table.name)
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
}

/// One step of a story with what is known of it by its place.
private struct ToldStep {
  var step: StoryStep
  var part: String
  var state: String
  /// How often it was repeated, together with the statements around it.
  var times = 1
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
        [ToldStep(step, part, group.state, times: times, rows: step.rows, changed: step.changed)]
      case .repeated(let repeated):
        repeated.first.enumerated().map { index, step in
          ToldStep(
            step, part, group.state, times: repeated.times * times, rows: repeated.rows[index],
            changed: repeated.changed[index])
        }
      }
    }
  }

  private init(
    _ step: StoryStep, _ part: String, _ group: StoryGroup.State, times: Int, rows: Int?, changed: Int?
  ) {
    (self.step, self.part, self.times, self.rows, self.changed) = (step, part, times, rows, changed)
    state =
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
    case .staleRead: "staleRead"
    case .otherDatabase: "otherDatabase"
    }
  }
}
