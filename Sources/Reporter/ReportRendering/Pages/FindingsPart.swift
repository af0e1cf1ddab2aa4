import ReportInspection
import ReportModel

/// Values for template `findings`; `nil` for tests without failures or findings.
///
/// - Parameter steps: Steps of its story.
func findingsValues(
  of test: TestResult, in context: PageContext, _ steps: StorySelection?
) -> TemplateValues? {
  guard test.hasFailedOnce else { return nil }
  let found = TestFindings(test, context.contents)
  return found.isEmpty ? nil : FindingsPart(found: found, selection: steps).values
}

package struct FindingsPart {
  private static let (mostLeading, mostFolded) = (30, 100)

  let found: TestFindings
  let selection: StorySelection?

  /// The steps named beside findings.
  package static func steps(of found: TestFindings) -> Set<Int> {
    let shown = found.leading.prefix(mostLeading) + found.folded.prefix(mostFolded)
    return Set(shown.flatMap(\.finding.shownRows).compactMap(\.writing?.step))
  }

  var values: TemplateValues {
    let leading = found.leading
    return [
      "list": leading.prefix(Self.mostLeading).map(values), "hasList": !leading.isEmpty,
      "more": rest(of: leading, behind: Self.mostLeading), "folded": foldedValues,
    ]
  }

  private var foldedValues: TemplateValues? {
    let folded = found.folded
    guard !folded.isEmpty || !found.unexamined.isEmpty else { return nil }
    let more = found.leading.isEmpty ? "finding" : "more finding"
    return [
      "title": folded.isEmpty ? "Not all was looked at" : counted(folded.count, more),
      "tally": folded.isEmpty ? nil : foldedText(folded.map(\.finding)),
      "list": folded.prefix(Self.mostFolded).map(values), "hasList": !folded.isEmpty,
      "more": rest(of: folded, behind: Self.mostFolded),
      "unexamined": found.unexamined.isEmpty
        ? nil
        : visibleOnOneLine(shortened(found.unexamined.joined(separator: " "), to: 2000)),
    ]
  }

  private func rest(of entries: [TestFindings.Entry], behind count: Int) -> String? {
    entries.count > count ? "\(counted(entries.count - count, "more finding")): see report.json." : nil
  }

  private func values(_ entry: TestFindings.Entry) -> TemplateValues {
    let finding = entry.finding
    let (rows, columns) = (finding.shownRows, finding.shownColumns)
    let isWritten = rows.contains { $0.writing != nil }
    return [
      "sentence": visibleOnOneLine(finding.sentence), "remedy": visibleOnOneLine(finding.remedy),
      "origin": finding.originText, "isOfTheTest": finding.isOfTheTest,
      "databases": found.databases(of: entry).map { visibleOnOneLine(shortened($0, to: 300)) },
      "hasRows": !rows.isEmpty, "isWritten": isWritten,
      "table": visibleOnOneLine(finding.table ?? ""),
      "columns": columns.map(headingValues),
      "rows": rows.map { values($0, columns, isWritten: isWritten) },
      "note": finding.omittedText.map { "… \($0)" },
    ]
  }

  private func values(_ row: Finding.Row, _ columns: [String], isWritten: Bool) -> TemplateValues {
    let step = row.writing?.step
    return [
      "key": row.key.map { visibleOnOneLine($0.values.map(shownValue).joined(separator: ", ")) }
        ?? "not told",
      "cells": columns.map { column -> TemplateValues in
        row.values.first { $0.column == column }.map { cellValues($0.cell) }
          ?? ["style": "", "text": "", "note": nil, "uuid": nil]
      },
      "isTold": isWritten, "writing": row.writing?.text,
      "link": selection?.values(linkTo: step) ?? ["isShown": false],
    ]
  }
}
