import Collector
import ReportModel
import ReportPlaces
import ReportStory

/// What the template `story` asks for of what was written, tried and read last.
struct HighlightValues {
  /// Scalars of a statement.
  private static let longestStatement = 400

  private let story: Story
  private let rows: StoryRowTables
  private let selection: StorySelection
  /// The values of a place with its text.
  private let place: (SourceReference?, String) -> TemplateValues

  init(
    _ story: Story, _ rows: StoryRowTables, _ selection: StorySelection,
    place: @escaping (SourceReference?, String) -> TemplateValues
  ) {
    self.place = place
    (self.story, self.rows, self.selection) = (story, rows, selection)
  }

  /// Where Why names steps, what was written last is told only if it is among them.
  var values: [TemplateValues] {
    let named = story.explanations.flatMap(\.steps)
    let shown = story.highlights.indices.filter { index in
      let highlight = story.highlights[index]
      return named.isEmpty || highlight.kind != .wrote
        || named.contains { (highlight.first...max(highlight.first, highlight.last)).contains($0) }
    }
    return shown.map { index in
      let highlight = story.highlights[index]
      let isLast = !story.highlights[(index + 1)...].contains { $0.kind == highlight.kind }
      return values(highlight, isLast: isLast)
    }
  }

  private func values(_ highlight: StoryHighlight, isLast: Bool) -> TemplateValues {
    let step = story[step: highlight.last]
    let isStatement = highlight.kind != .wrote
    return [
      "title": highlight.title(isLast: isLast), "steps": highlight.stepsText,
      "link": selection.values(linkTo: highlight.last),
      "state": highlight.kind == .wrote ? highlight.stateText : nil,
      "connection": hasSeveralConnections ? "connection \(highlight.connection)" : nil,
      "at": isStatement ? step?.stack?.place.map { place($0.reference, $0.text) } : nil,
      "sentence": isStatement ? nil : visible(highlight.changes.sentence),
      "statement": isStatement
        ? step.map { shortened($0.statement.trimmed, to: Self.longestStatement) } : nil,
      "problem": step?.error.map { visible(shortened($0.message, to: 400)) },
      "tables": highlight.changes.tables.flatMap { tableValues($0, names: highlight.names) },
      "result": highlight.kind == .read ? step.flatMap(rows.resultValues) : nil,
      "count": highlight.kind == .read ? step?.rows.map { counted($0, "row") } : nil,
      "related": highlight.related.map { rows.values($0, names: highlight.names, selection) },
    ]
  }

  private var hasSeveralConnections: Bool {
    Set(story.highlights.filter { $0.connection != 0 }.map(\.connection)).count > 1
  }

  private func tableValues(_ table: ChangeSummary.Table, names: ReferenceNames) -> [TemplateValues] {
    table.groups.filter { !$0.rows.isEmpty }.map { group in
      let shown = StoryRows(group, of: table, marks: rows.marks, limits: .init(columns: 8))
      return rows.values(shown, title: "\(story.name(of: table.table)): \(group.title(table.columns))") {
        names[table.table, $0, $1]
      }
    }
  }
}
