import ReportModel
import ReportPlaces
import ReportStory

/// What was different when a failed test passed, on its page: both sides beside each other.
struct PassPart {
  /// Rows from the first difference on that are shown at once, and in all.
  private static let (atOnce, mostRows) = (6, 200)
  private static let longestStatement = 600

  let comparison: PassComparison
  let rows: StoryRowTables
  let selection: StorySelection
  let context: PageContext

  /// What the template `pass` asks for.
  var values: TemplateValues {
    let start = comparison.first ?? comparison.rows.firstIndex { $0.alike == 0 } ?? 0
    let shown =
      comparison.rows.isEmpty || comparison.different == 0
      ? [] : Array(comparison.rows[start..<min(comparison.rows.count, start + Self.atOnce)])
    let all = Array(comparison.rows.prefix(Self.mostRows))
    let hasOthers = comparison.different > 0 && all.count > shown.count
    return [
      "origin": visibleOnOneLine(comparison.origin.text), "tally": comparison.tally,
      "hasRows": !shown.isEmpty,
      "rows": shown.enumerated().map { values($1, isFirst: $0 == 0 && comparison.first != nil) },
      "hunks": comparison.changes.filter { !$0.lines.isEmpty }.map(values),
      "hasOthers": hasOthers,
      "others": comparison.rows.count > all.count
        ? "The first \(counted(all.count, "row")) of the comparison"
        : "All \(counted(comparison.different, "difference")), with what was alike",
      "all": hasOthers
        ? all.enumerated().map { values($1, isFirst: $0 == comparison.first) } : [] as [TemplateValues],
    ]
  }

  private func values(_ row: PassComparison.Row, isFirst: Bool) -> TemplateValues {
    [
      "alike": row.alike > 0 ? "\(counted(row.alike, "step")) alike" : nil, "isFirst": isFirst,
      "pieces": PieceValues(selection: selection, context: context).values(row.words),
      "failed": row.failed.map { side in
        var values = values(side)
        values.set("link", to: selection.values(linkTo: side.number))
        return values
      },
      "passed": row.passed.map(values),
      "rows": row.related.map { rows.values($0, names: ReferenceNames(), selection) },
    ]
  }

  private func values(_ side: PassComparison.Side) -> TemplateValues {
    [
      "number": grouped(side.number),
      "statement": visible(shortened(side.statement.trimmed, to: Self.longestStatement)),
      // The pass's lines may be those of other code, so nothing leads there.
      "at": side.place.map { context.placeValues(nil, text: $0.text) },
    ]
  }

  private func values(_ change: ChangedLines) -> TemplateValues {
    [
      "title": visibleOnOneLine(change.title),
      "lines": change.lines.map { line -> TemplateValues in
        [
          "text": visibleOnOneLine(shortened(line, to: 300)), "isAdded": line.hasPrefix("+"),
          "isRemoved": line.hasPrefix("-"),
          "isSame": !line.hasPrefix("+") && !line.hasPrefix("-"),
        ]
      },
    ]
  }
}
