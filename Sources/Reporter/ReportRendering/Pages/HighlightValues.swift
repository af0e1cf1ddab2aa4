import Collector
import ReportInspection
import ReportModel
import ReportPlaces
import ReportStory

/// Scalars of a statement.
private let longestStatement = 400

/// What the template `story` asks for of what was written, tried and read last.
extension StoryPart {
  /// Where Why names steps, what was written last is told only if it is among them.
  var highlightValues: [TemplateValues] {
    let named = story.explanations.flatMap(\.steps)
    return story.highlights.enumerated().compactMap { index, highlight in
      guard
        named.isEmpty || highlight.kind != .wrote
          || named.contains(where: { (highlight.first...max(highlight.first, highlight.last)).contains($0) })
      else { return nil }
      let isLast = !story.highlights[(index + 1)...].contains { $0.kind == highlight.kind }
      return highlightValues(highlight, isLast: isLast)
    }
  }

  private func highlightValues(_ highlight: StoryHighlight, isLast: Bool) -> TemplateValues {
    let step = story[step: highlight.last]
    let isStatement = highlight.kind != .wrote
    return [
      "title": highlight.title(isLast: isLast), "steps": highlight.stepsText,
      "link": selection.values(linkTo: highlight.last),
      "state": highlight.kind == .wrote ? highlight.stateText : nil,
      "connection": hasSeveralConnections ? "connection \(highlight.connection)" : nil,
      "at": isStatement ? step?.stack?.place.map(placeValues) : nil,
      "sentence": isStatement ? nil : visible(highlight.changes.sentence),
      "statement": isStatement
        ? step.map { shortened($0.statement.trimmed, to: longestStatement) } : nil,
      "problem": step?.error.map { visible(shortened($0.message, to: 400)) },
      "tables": highlight.changes.tables.flatMap { tableValues($0, names: highlight.names) },
      "result": highlight.kind == .read ? step.flatMap(resultValues) : nil,
      "count": highlight.kind == .read ? step?.rows.map { counted($0, "row") } : nil,
      "related": highlight.related.map { rowValues($0, names: highlight.names) },
    ]
  }

  private var hasSeveralConnections: Bool {
    Set(story.highlights.filter { $0.connection != 0 }.map(\.connection)).count > 1
  }

  private func tableValues(_ table: ChangeSummary.Table, names: ReferenceNames) -> [TemplateValues] {
    table.groups.filter { !$0.rows.isEmpty }.map { group in
      let shown = StoryRows(group, of: table, marks: marks, limits: .init(columns: 8))
      return rowValues(shown, title: "\(story.name(of: table.table)): \(group.title(table.columns))") {
        names[table.table, $0, $1]
      }
    }
  }
}
