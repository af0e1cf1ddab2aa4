import Collector
import ExhibitSQLite
import ReportModel
import ReportPlaces
import ReportStory

/// Stories in report.json, within limits.
extension JSONText {
  /// Bytes of a statement or a value.
  private static let longestText = 2000

  /// - Parameters:
  ///   - sources: Source lines.
  ///   - steps: The last steps to write.
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

  /// Values of a row, each cut.
  mutating func values(_ key: StaticString, _ values: [DatabaseValue?]) {
    array(key, values) { $0.write(nil, Self.cut($1)) }
  }

  private static func cut(_ value: DatabaseValue?) -> DatabaseValue? {
    value?.shown(limit: longestText, blobLimit: longestText)
  }

  static func cut(_ text: String) -> String {
    text.utf8.count <= longestText
      ? text : String(decoding: text.utf8.prefix(longestText), as: UTF8.self) + "…"
  }

  // MARK: - Places

  private static let mostPlaces = 30

  /// Own functions on the stack, innermost first.
  mutating func write(_ stack: CallStack) {
    objects("places", Array(stack.frames.prefix(Self.mostPlaces))) { json, frame in
      json.member("file", frame.place.file)
      json.member("function", frame.place.name.function)
      json.member("line", frame.place.line)
      json.array("through", frame.through) { $0.element($1) }
    }
  }

  /// A line of the test.
  ///
  /// - Parameter sources: Source lines.
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

extension TestLine.Kind {
  fileprivate var word: String {
    switch self {
    case .setUp: "setUp"
    case .line: "line"
    case .elsewhere: "elsewhere"
    }
  }
}
