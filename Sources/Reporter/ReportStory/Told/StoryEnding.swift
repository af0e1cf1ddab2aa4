import Collector
import ReportModel

/// A sentence on the last write or read before the failure.
package struct StoryEnding: Sendable, Equatable {
  var step: Int
  package var text: String
  /// Without values of rows; `nil` where nothing is left.
  var bareText: String?

  var withoutValues: StoryEnding? {
    bareText.map { StoryEnding(step: step, text: $0, bareText: $0) }
  }
}

extension StoryEnding {
  private static let longestText = 300

  /// - Parameter steps: The writing steps of one transaction.
  init?(
    wrote changes: ChangeSummary, in steps: [RecordedStory.Step], isUndone: Bool, namesConnection: Bool
  ) {
    guard let first = steps.first, let last = steps.last else { return nil }
    let range =
      first.number == last.number ? "step \(last.number)" : "steps \(first.number) to \(last.number)"
    let connection = namesConnection ? " on connection \(last.connection)" : ""
    let undone = isUndone ? ", and rolled back" : ""
    self.init(
      changes, told: changes.sentence.isEmpty ? Self.takenBack(steps) : changes.sentence,
      behind: "Written last, in \(range)\(connection)\(undone): ", step: last.number)
  }

  private init(_ changes: ChangeSummary, told sentence: String, behind start: String, step: Int) {
    let notes = changes.tables.flatMap(\.columnNotes).prefix(3).joined(separator: "; ")
    let told = sentence + (notes.isEmpty ? "" : " (\(notes))")
    self.init(
      step: step, text: start + shortened(told, to: Self.longestText),
      bareText: start + shortened(sentence, to: Self.longestText))
  }

  private static func takenBack(_ steps: [RecordedStory.Step]) -> String {
    let tables = Set(
      steps.flatMap(\.changes).map { $0.schema == "main" ? $0.table : "\($0.schema).\($0.table)" }
    ).sorted()
    return "rows of \(tables.prefix(5).joined(separator: ", ")), which are at the end as they were before"
  }

  init(read step: RecordedStory.Step) {
    let statement = shortened((step.expanded ?? step.sql).trimmed, to: Self.longestText)
    let rows = step.results.prefix(3).map { row in
      row.prefix(6).map { $0?.shortText ?? "(not told)" }.joined(separator: ", ")
    }
    let count = step.rows ?? rows.count
    let more = count > rows.count && !rows.isEmpty ? " and \(counted(count - rows.count, "more row"))" : ""
    let result = rows.isEmpty ? counted(count, "row") : rows.joined(separator: " | ") + more
    self.init(step: step.number, text: "Read last, in step \(step.number): \(statement) → \(result)")
  }
}
