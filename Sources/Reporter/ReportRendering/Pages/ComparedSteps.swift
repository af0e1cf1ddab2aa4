import Collector
import ReportInspection
import ReportModel
import ReportPlaces
import ReportStory

private let longestCompared = 600
private let (rowsAtOnce, mostCompared) = (6, 200)

/// What was different when the test passed, on its page.
extension StoryPart {
  /// Values for template `pass`.
  func passValues(_ comparison: PassComparison) -> TemplateValues {
    let start = comparison.first ?? comparison.rows.firstIndex { $0.alike == 0 } ?? 0
    let shown =
      comparison.rows.isEmpty || comparison.different == 0
      ? [] : Array(comparison.rows[start..<min(comparison.rows.count, start + rowsAtOnce)])
    let all = Array(comparison.rows.prefix(mostCompared))
    let hasOthers = comparison.different > 0 && all.count > shown.count
    let leads = comparison.first != nil && !shown.isEmpty
    let hunks = Self.hunks(of: comparison)
    return [
      "title": comparison.isOfSibling
        ? "What another test did otherwise" : "What was different when it passed",
      "origin": visibleOnOneLine(comparison.origin.text),
      "tally": comparison.passedOverText + comparison.tally,
      "hasRows": !shown.isEmpty,
      "rows": shown.enumerated().map { comparedValues($1, of: comparison, isFirst: $0 == 0 && leads) },
      // The first difference has them.
      "hunks": leads ? [] : hunks,
      "hasOthers": hasOthers,
      "others": comparison.rows.count > all.count
        ? "The first \(counted(all.count, "row")) of the comparison"
        : "All \(counted(comparison.different, "difference")), with what was alike",
      "all": hasOthers
        ? all.enumerated().map { comparedValues($1, of: comparison, isFirst: $0 == comparison.first) }
        : [] as [TemplateValues],
    ]
  }

  private static func hunks(of comparison: PassComparison) -> [TemplateValues] {
    comparison.changes.filter { !$0.lines.isEmpty }.map(hunkValues)
  }

  /// A difference: first how texts differ, then what changed in the code, a sentence, and rows.
  private func comparedValues(
    _ row: PassComparison.Row, of comparison: PassComparison, isFirst: Bool
  ) -> TemplateValues {
    let then = comparison.isOfSibling ? "the other test" : "when it passed"
    let texts = [row.passed, row.failed].map {
      $0.map { shortened($0.statement.trimmed, to: longestCompared) }
    }
    let differ = row.wordsBesideTexts != nil && texts[0] != nil && texts[1] != nil && texts[0] != texts[1]
    return [
      "alike": row.alike > 0 ? "\(counted(row.alike, "step")) alike" : nil, "isFirst": isFirst,
      "texts": differ ? statementsValues(texts[0] ?? "", texts[1] ?? "", then) : nil,
      "hunks": isFirst ? Self.hunks(of: comparison) : [],
      "pieces": pieceValues(differ ? row.wordsBesideTexts ?? row.words : row.words),
      "then": capitalized(then),
      "failed": row.failed.map { side in
        var values = sideValues(side)
        values.set("link", to: selection.values(linkTo: side.number))
        return values
      },
      "passed": row.passed.map(sideValues),
      // One text stands once.
      "statement": differ ? nil : (texts[1] ?? texts[0]).map { visible($0) },
      "other": !differ && texts[0] != nil && texts[1] != nil && texts[0] != texts[1]
        ? texts[0].map { visible($0) } : nil,
      "rows": row.related.map { rowValues($0, names: ReferenceNames()) },
    ]
  }

  /// Values for template `diff`: the statement then and now, a line each.
  private func statementsValues(_ then: String, _ now: String, _ word: String) -> TemplateValues {
    let lines = markingWords(in: [DiffLine(.removed, visible(then)), DiffLine(.added, visible(now))])
    return diffValues(lines, roles: [word, "this run"])
  }

  private func sideValues(_ side: PassComparison.Side) -> TemplateValues {
    [
      "number": grouped(side.number),
      // The pass's code may differ, so there is no link.
      "at": side.place.map { context.placeValues(nil, text: $0.text) },
    ]
  }

  private static func hunkValues(_ change: ChangedLines) -> TemplateValues {
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
