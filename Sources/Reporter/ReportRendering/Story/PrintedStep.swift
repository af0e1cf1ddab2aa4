import Collector
import ExhibitSQLite
import ReportModel
import ReportPlaces
import ReportStory

// One step as it is printed: in words for pages, the terminal and Markdown, and by members in report.json.

extension StoryStep {
  /// Its number, where the trace gave it one.
  var label: String { number > 0 ? String(number) : "–" }

  /// The numbers of rows it returned and changed; `nil` where they say nothing.
  func resultText(rows: Int?, changed: Int?) -> String? {
    var parts: [String] = []
    if let changed, changed > 0 || !self.isReadOnly && changes.isEmpty && self.columns.isEmpty && isData {
      parts.append("\(counted(changed, "row")) changed")
    }
    if let rows, rows > 0 || self.isReadOnly { parts.append(counted(rows, "row")) }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The value that it returned, where that is one: as of `PRAGMA foreign_keys`.
  var onlyValue: String? {
    guard rows == 1, results.count == 1, results[0].count == 1 else { return nil }
    return shortened(printedValue(results[0][0]), to: 60)
  }

  private var isData: Bool {
    let word = sql.prefix { !$0.isWhitespace }.lowercased()
    return ["insert", "update", "delete", "replace", "with"].contains(word)
  }

  var errorText: String? {
    self.error.flatMap { $0.message.isEmpty ? nil : shortened($0.message, to: 120) }
  }

  /// The facts that stand behind its statement.
  struct Fact {
    enum Kind { case result, plain, label }

    var kind: Kind
    var text: String
  }

  /// - Parameter result: What it returned or changed; `nil` where that is told elsewhere.
  func facts(result: String?) -> [Fact] {
    [
      result.map { Fact(kind: .result, text: $0) },
      notableDuration.map { Fact(kind: .plain, text: $0) },
      undoneText.map { Fact(kind: .label, text: $0) },
    ].compactMap(\.self)
  }

  /// Its duration, where that is long enough to matter.
  var notableDuration: String? {
    self.duration.flatMap { $0 >= 0.005 ? durationText($0) : nil }
  }

  /// The reason why its effect does not stand.
  var undoneText: String? {
    switch undone {
    case .failed: "failed"
    case .rolledBack: "rolled back"
    case .rolledBackTo(let savepoint): "rolled back to savepoint \(savepoint)"
    case nil: nil
    }
  }

  /// Where it was made, or else its connection.
  var placeText: String? {
    stack?.place?.reference?.shortText
      ?? opener?.reference.map { "connection opened in \($0.shortText)" }
  }

  /// The owner it is known to have, where that is not the test itself.
  var ownerText: String? {
    switch self.owner {
    case .test: nil
    case .connection: "the test’s by its connection"
    case .nobody: "of nobody known, while the test ran"
    }
  }

  /// Sentences about a step that runs still, failed, or whose changes were not all told.
  var remarks: [String] {
    var texts: [String] = []
    if self.isRunning { texts.append("It was still running when the story ended.") }
    if let commit { texts += commit.problems }
    if let error = self.error { texts.append("Error \(error.code): \(error.message)") }
    if self.unkept > 0 { texts.append("\(counted(self.unkept, "more change")) had no room in the trace.") }
    if self.untold != nil, !(changes.isEmpty && consequences.isEmpty) {
      texts.append("Not all of its rows are told.")
    } else if self.untold != nil {
      texts.append("Its rows are not told." + (changed.map { " SQLite counted \($0)." } ?? ""))
    }
    if self.isWithheld { texts.append("Values are left out for privacy.") }
    return texts
  }
}

// MARK: - report.json

/// One step of a story with what is known of it by its place.
struct ToldStep {
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
      items.flatMap(\.runs).flatMap { group in
        group.content.entries.flatMap(\.runs).map { run in
          ToldStep(
            step: run.content, part: part, group: group.content.state, times: run.times * group.times,
            rows: run.rows, changed: run.changed)
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

extension JSONText {
  /// Changes that are written of one step.
  private static let mostChanges = 20

  mutating func write(_ told: ToldStep, _ stacks: [CallStack]) {
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
