import ReportModel
import ReportPlaces
import ReportStory

/// Rows from the first difference on that are shown at once, and in all.
private let (rowsAtOnce, mostRows) = (6, 200)
private let longestStatement = 600

/// What was different when a failed test passed, on its page: both sides beside each other.
extension StoryPart {
  /// What the template `pass` asks for.
  func passValues(_ comparison: PassComparison) -> TemplateValues {
    let start = comparison.first ?? comparison.rows.firstIndex { $0.alike == 0 } ?? 0
    let shown =
      comparison.rows.isEmpty || comparison.different == 0
      ? [] : Array(comparison.rows[start..<min(comparison.rows.count, start + rowsAtOnce)])
    let all = Array(comparison.rows.prefix(mostRows))
    let hasOthers = comparison.different > 0 && all.count > shown.count
    return [
      "origin": visibleOnOneLine(comparison.origin.text), "tally": comparison.tally,
      "hasRows": !shown.isEmpty,
      "rows": shown.enumerated().map { comparedValues($1, isFirst: $0 == 0 && comparison.first != nil) },
      "hunks": comparison.changes.filter { !$0.lines.isEmpty }.map(hunkValues),
      "hasOthers": hasOthers,
      "others": comparison.rows.count > all.count
        ? "The first \(counted(all.count, "row")) of the comparison"
        : "All \(counted(comparison.different, "difference")), with what was alike",
      "all": hasOthers
        ? all.enumerated().map { comparedValues($1, isFirst: $0 == comparison.first) }
        : [] as [TemplateValues],
    ]
  }

  private func comparedValues(_ row: PassComparison.Row, isFirst: Bool) -> TemplateValues {
    [
      "alike": row.alike > 0 ? "\(counted(row.alike, "step")) alike" : nil, "isFirst": isFirst,
      "pieces": pieceValues(row.words),
      "failed": row.failed.map { side in
        var values = sideValues(side)
        values.set("link", to: selection.values(linkTo: side.number))
        return values
      },
      "passed": row.passed.map(sideValues),
      "rows": row.related.map { rowValues($0, names: ReferenceNames()) },
    ]
  }

  private func sideValues(_ side: PassComparison.Side) -> TemplateValues {
    [
      "number": grouped(side.number),
      "statement": visible(shortened(side.statement.trimmed, to: longestStatement)),
      // The pass's lines may be those of other code, so nothing leads there.
      "at": side.place.map { context.placeValues(nil, text: $0.text) },
    ]
  }

  private func hunkValues(_ change: ChangedLines) -> TemplateValues {
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
