import ExhibitSQLite

// Each kind of line names its keys once, for writing and for reading.

package struct StoryHead: StoryLineContent {
  package static let kind = "story"
  package static let blank = StoryHead()

  package var format: String? = ArtifactsFormat.current
  package var test: TestCaseID?
  package var missing = 0
  package var withoutChanges: String?
  package var withoutSteps: String?

  package mutating func members<Line: StoryLineMembers & ~Copyable>(in line: inout Line) {
    var source: String? = "trace"
    line.text("format", &format)
    line.test("test", &test)
    line.text("steps", &source)
    line.number("missing", &missing, orElse: 0)
    line.text("withoutChanges", &withoutChanges)
    line.text("withoutSteps", &withoutSteps)
  }
}

extension RecordedStory.Database: StoryLineContent {
  package static let kind = "database"
  package static let blank = Self(connection: 0, path: nil)

  package mutating func members<Line: StoryLineMembers & ~Copyable>(in line: inout Line) {
    line.number("connection", &connection)
    line.text("schema", &schema, orElse: "main")
    line.text("path", &path)
    line.tally("after", &after)
  }
}

package struct ChangeOfStep: StoryLineContent {
  package static let kind = "change"
  package static let blank = ChangeOfStep(step: 0, change: .init(operation: .insert, table: ""))

  package var step: Int
  package var change: RecordedStory.Change

  package mutating func members<Line: StoryLineMembers & ~Copyable>(in line: inout Line) {
    line.number("step", &step)
    var operation: RowOperation? = change.operation
    line.word("operation", &operation, orElse: nil)
    if let operation { change.operation = operation } else { line.fail() }
    line.text("schema", &change.schema, orElse: "main")
    line.text("table", &change.table)
    line.tally("depth", &change.depth)
    line.number("key", &change.key)
    line.number("newKey", &change.newKey)
    line.number("blob", &change.blobColumn)
    line.values("old", &change.old)
    line.values("new", &change.new)
  }
}

extension RecordedStory.Code: StoryLineContent {
  package static let kind = "code"
  package static let blank = Self()

  package mutating func members<Line: StoryLineMembers & ~Copyable>(in line: inout Line) {
    line.number("code", &number)
    line.text("path", &path)
    line.tally("size", &size)
    var changed: Int64? = changedAt == 0 ? nil : changedAt
    line.number("changedAt", &changed)
    changedAt = changed ?? 0
    line.text("buildID", &buildID)
  }
}

extension RecordedStory.Stack: StoryLineContent {
  package static let kind = "stack"
  package static let blank = Self()

  package mutating func members<Line: StoryLineMembers & ~Copyable>(in line: inout Line) {
    line.number("stack", &number)
    line.numbers("frames", &frames)
  }
}

extension RecordedStory.Overwritten: StoryLineContent {
  package static let kind = "passed"
  package static let blank = Self()

  package mutating func members<Line: StoryLineMembers & ~Copyable>(in line: inout Line) {
    line.text("sql", &sql)
    line.number("stack", &stack)
    line.number("connection", &connection, orElse: 0)
    line.number("steps", &steps)
    line.tally("rows", &rows)
    line.number("first", &first, orElse: 0)
    line.number("last", &last, orElse: 0)
  }
}

extension RecordedStory.Left: StoryLineContent {
  package static let kind = "left"
  package static let blank = Self()

  package mutating func members<Line: StoryLineMembers & ~Copyable>(in line: inout Line) {
    line.test("test", &test)
    line.number("steps", &steps)
    line.text("sql", &sql)
  }
}

package protocol MarkBetweenSteps: StoryLineContent, Sendable {
  var after: Int { get set }
  var stack: Int? { get }
}

extension MarkBetweenSteps {
  package var stack: Int? { nil }
}

extension RecordedStory.Issue: MarkBetweenSteps {
  package static let kind = "issue"
  package static let blank = Self()

  package mutating func members<Line: StoryLineMembers & ~Copyable>(in line: inout Line) {
    line.number("after", &after, orElse: 0)
    line.number("issue", &ordinal)
  }
}

extension RecordedStory.Baseline: MarkBetweenSteps {
  package static let kind = "baseline"
  package static let blank = Self()

  package mutating func members<Line: StoryLineMembers & ~Copyable>(in line: inout Line) {
    line.number("after", &after, orElse: 0)
  }
}

extension RecordedStory.Opened: MarkBetweenSteps {
  package static let kind = "opened"
  package static let blank = Self()

  package mutating func members<Line: StoryLineMembers & ~Copyable>(in line: inout Line) {
    line.number("connection", &connection)
    line.number("after", &after, orElse: 0)
    line.number("stack", &stack)
  }
}

extension RecordedStory.Closed: MarkBetweenSteps {
  package static let kind = "closed"
  package static let blank = Self()

  package mutating func members<Line: StoryLineMembers & ~Copyable>(in line: inout Line) {
    line.number("connection", &connection)
    line.number("after", &after, orElse: 0)
    line.number("stack", &stack)
  }
}

package struct StoryEnd: StoryLineContent {
  package static let kind = "end"
  package static let blank = StoryEnd()

  package mutating func members<Line: StoryLineMembers & ~Copyable>(in line: inout Line) {}
}
