import ExhibitSQLite
import ExhibitSystem

/// The lines of `story.jsonl`: docs/artifacts-format.md, "story.jsonl".
package struct StoryLines: ~Copyable {
  /// What a connection of the story has open.
  package struct Database: Sendable, Equatable {
    package var connection: Int
    package var schema: String
    /// `nil` in memory.
    package var path: String?

    package init(connection: Int, schema: String = "main", path: String?) {
      self.connection = connection
      self.schema = schema
      self.path = path
    }
  }

  private var text: [UInt8] = []
  /// Positions in the ring of long texts that were written.
  private var longTexts: Set<UInt64> = []
  /// The number of the last step that was written; 0 for none.
  package private(set) var last: UInt64

  /// No lines yet.
  ///
  /// - Parameter last: The number of the last step that the file has already.
  package init(after last: UInt64 = 0) {
    self.last = last
  }

  /// The lines so far.
  package var bytes: [UInt8] { text }

  /// The first line.
  ///
  /// - Parameter withoutChanges: Why changes of rows are not told, in a sentence.
  package mutating func begin(
    _ test: TestCaseID, missing: UInt64, withoutChanges: String?, withoutSteps: String? = nil
  ) {
    line("story") { text in
      text.member("format", ArtifactsFormat.current)
      text.object("test") { test.write(to: &$0) }
      text.member("steps", "trace")
      text.member("missing", missing)
      text.member("withoutChanges", withoutChanges)
      text.member("withoutSteps", withoutSteps)
    }
  }

  package mutating func add(_ databases: [Database]) {
    for database in databases {
      line("database") { text in
        text.member("connection", database.connection)
        text.member("schema", database.schema)
        text.member("path", database.path)
      }
    }
  }

  /// Adds the steps that are not in the file yet, with what stands between them.
  package mutating func add(_ story: TestSteps) {
    let known = last
    var marks = story.marks.filter { $0.after >= known }[...]
    for step in story.steps where step.begin.number > known {
      while let mark = marks.first, mark.after < step.begin.number {
        add(mark)
        marks.removeFirst()
      }
      add(step, start: story.start)
      last = step.begin.number
    }
    for mark in marks { add(mark) }
  }

  /// The last line, once the test has ended.
  package mutating func end() {
    line("end") { _ in }
  }

  private mutating func add(_ mark: TestSteps.Mark) {
    switch mark.kind {
    case .issue(let ordinal):
      line("issue") { text in
        text.member("after", mark.after)
        text.member("issue", ordinal)
      }
    case .baseline: line("baseline") { $0.member("after", mark.after) }
    case .closed(let connection):
      line("closed") { text in
        text.member("connection", connection)
        text.member("after", mark.after)
      }
    }
  }

  /// A text of more bytes is written once, and only so many bytes of it for the steps that follow.
  private static let longestRepeated = 4096

  private mutating func sql(of step: TestSteps.Step) -> String {
    guard let text = step.text else { return "-- The text was overwritten." }
    guard text.text.utf8.count > Self.longestRepeated, !longTexts.insert(step.begin.text).inserted else {
      return text.told
    }
    let beginning = String(decoding: text.text.utf8.prefix(Self.longestRepeated), as: UTF8.self)
    return TraceText(beginning, size: text.size).told
  }

  private mutating func add(_ step: TestSteps.Step, start: UInt64) {
    let sql = sql(of: step)
    line("step") { text in
      text.member("number", step.begin.number)
      text.member("time", Double(step.time >= start ? step.time - start : 0) / 1e9)
      text.member("connection", step.connection)
      text.member("sql", sql)
      text.member("expanded", step.begin.expanded)
      if step.begin.isReadOnly { text.member("readOnly", true) }
      if step.begin.isWithheld { text.member("withheld", true) }
      text.member("untold", (step.end?.untold ?? step.begin.untold)?.rawValue)
      if step.owner != .test { text.member("owner", step.owner.rawValue) }
      text.object("transaction") { text in
        text.member("before", !step.begin.hadAutocommit)
        text.member("after", !(step.end?.hasAutocommit ?? step.begin.hadAutocommit))
      }
      if let end = step.end { Self.write(end, to: &text) } else { text.member("running", true) }
      if let error = step.error {
        text.object("error") { text in
          text.member("code", error.code)
          text.member("message", error.message)
        }
      }
      if !step.triggers.isEmpty { text.array("triggers", step.triggers) { $0.element($1) } }
      if !step.columns.isEmpty { text.array("columns", step.columns) { $0.element($1) } }
      if !step.rows.isEmpty {
        text.array("results", step.rows) { text, row in Self.write(row, key: nil, to: &text) }
      }
    }
    for change in step.changes { add(change) }
  }

  private static func write(_ end: TraceRecord.End, to text: inout JSONText) {
    text.member("duration", Double(end.nanoseconds) / 1e9)
    text.member("rows", end.rows)
    text.member("changed", end.changed)
    if end.unkept > 0 { text.member("unkept", end.unkept) }
  }

  private mutating func add(_ change: TraceRecord.Change) {
    line("change") { text in
      text.member("step", change.step)
      text.member("operation", change.operation.rawValue)
      text.member("schema", change.schema)
      text.member("table", change.table)
      if change.depth > 0 { text.member("depth", change.depth) }
      text.member("key", change.operation == .insert ? change.newKey : change.key)
      if change.operation == .update, change.newKey != change.key { text.member("newKey", change.newKey) }
      text.member("blob", change.blobColumn)
      if let old = change.old { Self.write(old, key: "old", to: &text) }
      if let new = change.new { Self.write(new, key: "new", to: &text) }
    }
  }

  private static func write(_ values: [DatabaseValue?], key: StaticString?, to text: inout JSONText) {
    text.open(key, UInt8(ascii: "["))
    for value in values { write(value, to: &text) }
    text.close(UInt8(ascii: "]"))
  }

  private static func write(_ value: DatabaseValue?, to text: inout JSONText) {
    switch value {
    case .null: text.plain("null")
    case .integer(let integer): text.plain("\(integer)")
    case .real(let real): text.object { $0.member("real", real.description) }
    case .text(let string, nil): text.element(string)
    case .text(let string, let whole?):
      text.object { text in
        text.member("text", string)
        text.member("size", whole.bytes)
      }
    case .blob(let bytes, let whole):
      text.object { text in
        text.member("blob", hexadecimal(bytes))
        text.member("size", whole?.bytes ?? bytes.count)
      }
    case nil: text.object { $0.member("unknown", true) }
    }
  }

  private mutating func line(_ kind: String, _ members: (inout JSONText) -> Void) {
    var line = JSONText()
    line.object { line in
      line.member("kind", kind)
      members(&line)
    }
    line.endLine()
    line.withBytes { text.append(contentsOf: $0) }
  }
}

extension TraceText {
  /// The text, with what is left out of it said.
  fileprivate var told: String {
    text.utf8.count < size ? "\(text)\n-- \(size - text.utf8.count) more bytes" : text
  }
}
