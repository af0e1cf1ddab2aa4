import Collector
import ReportModel
import ReportPlaces
import ReportStory

/// The places of a story in report.json.
extension JSONText {
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
      json.member("file", called.place.file)
      json.member("first", called.first)
      json.member("function", called.place.name.function)
      json.member("last", called.last)
      json.member("line", called.place.line)
      json.member("steps", called.steps)
    }
    member("changes", line.sentence)
    member("counted", line.counted)
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
  /// As report.json names it.
  fileprivate var word: String {
    switch self {
    case .setUp: "setUp"
    case .line: "line"
    case .elsewhere: "elsewhere"
    }
  }
}
