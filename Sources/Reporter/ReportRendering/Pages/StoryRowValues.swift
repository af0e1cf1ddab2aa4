import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// What the template `story-rows` asks for: rows that changed, and rows that were returned.
extension StoryPart {
  /// What a step changed in a table.
  func rowValues(_ changes: StoryTableChanges, of step: StoryStep) -> TemplateValues {
    let operations: [RowOperation] = [.insert, .update, .delete]
    var told = operations.map { (changes.count($0), $0.word) }.filter { $0.0 > 0 }
    if told.count == 1, changes.omitted == 0 || changes.changes.count + changes.omitted == step.changed {
      told[0].0 += changes.omitted
    }
    let isAll = told.reduce(0) { $0 + $1.0 } == changes.changes.count + changes.omitted
    let tally = told.map { "\(grouped($0.0)) \($0.1)" }.joined(separator: ", ")
    let more = changes.omitted > 0 && !isAll ? ", and \(grouped(changes.omitted)) more changes" : ""
    let shadows = changes.shadows.values.reduce(0, +)
    var title =
      "\(story.name(of: changes.table, in: step.database))\(tally.isEmpty ? "" : ": \(tally)\(more)")"
    if shadows > 0 { title += " (\(counted(shadows, "row")) of the tables that hold its data)" }
    return rowValues(
      StoryRows(changes, of: step.number, marks: marks, limits: .init(record: story.record)), title: title)
  }

  /// - Parameter title: Stands above the rows.
  func rowValues(
    _ rows: StoryRows, title: String?, names: (String, Story.Value) -> String? = { _, _ in nil }
  ) -> TemplateValues {
    let shows = !rows.columns.isEmpty || rows.showsKey
    return [
      "title": title.map { visibleOnOneLine($0) }, "isResult": false, "written": nil,
      "hasRows": shows && !rows.rows.isEmpty,
      "columns": ((rows.showsKey ? ["rowid"] : []) + rows.columns).map(headingValues),
      "rows": rows.rows.map { row -> TemplateValues in
        let key: [TemplateValues] = rows.showsKey ? [cell(row.key.map { .integer($0) }, met: [])] : []
        return [
          "style": row.operation.word, "sign": row.operation.sign, "word": row.operation.word,
          "cells": key
            + zip(rows.columns, row.cells).map { column, value in
              named(cell(value), value.value.flatMap { names(column, $0) })
            },
        ]
      },
      "note": rows.note, "sums": [] as [TemplateValues],
    ]
  }

  /// A cell with the name of the row that it leads to.
  private func named(_ cell: TemplateValues, _ name: String?) -> TemplateValues {
    guard let name else { return cell }
    var cell = cell
    cell.set("note", to: visibleOnOneLine(name))
    return cell
  }

  private func cell(_ cell: StoryRows.Cell) -> TemplateValues {
    var values = self.cell(cell.value, met: cell.met)
    guard cell.hasChanged else { return values }
    values.set("before", to: self.cell(cell.before, met: cell.metBefore))
    return values
  }

  private func cell(_ value: Story.Value?, met: [Int]) -> TemplateValues {
    var values = value.map(cellValues) ?? ["style": "null", "text": "not told", "note": nil, "uuid": nil]
    values.set("before", to: nil)
    values.set("met", to: met.isEmpty ? nil : met.map(MessageValue.sign).joined())
    return values
  }

  /// Rows of a captured database.
  func rowValues(_ related: RelatedRows, names: ReferenceNames) -> TemplateValues {
    let rows = related.rows.map { row -> TemplateValues in
      let cells = zip(related.columns, row).map { column, value in
        named(cell(value, met: []), names[related.table, column, value])
      }
      return ["style": "", "sign": nil, "word": nil, "cells": cells]
    }
    let more = (related.count ?? related.rows.count) - related.rows.count
    return [
      "title": visibleOnOneLine(related.title), "isResult": true, "hasRows": !rows.isEmpty,
      "written": related.step.map { selection.values(linkTo: $0) },
      "columns": related.columns.map(headingValues), "rows": rows,
      "sums": [] as [TemplateValues], "note": more > 0 ? counted(more, "more row") : nil,
    ]
  }

  /// The rows that a step returned; `nil` where none were recorded.
  func resultValues(_ step: StoryStep) -> TemplateValues? {
    guard !step.results.isEmpty else { return nil }
    let count = max(step.columns.count, step.results.map(\.count).max() ?? 0)
    let shown = min(count, StoryBudget.columnsOfResult)
    let rows = step.results.enumerated().map { index, row -> TemplateValues in
      let cells = (0..<shown).map { column in
        cell(
          row.indices.contains(column) ? row[column] : nil,
          met: marks.values(inStep: step.number, row: index, column: column))
      }
      return ["style": "", "sign": nil, "word": nil, "cells": cells]
    }
    return [
      "title": nil, "isResult": true, "hasRows": true, "written": nil,
      "columns": (0..<shown).map { headingValues(step.columns.columnName($0)) },
      "rows": rows, "note": resultNote(step, count, shown),
      "sums": (marks.sums[step.number] ?? []).map { sum -> TemplateValues in
        [
          "column": visibleOnOneLine(step.columns.columnName(sum.column)),
          "sign": MessageValue.sign(sum.value),
        ]
      },
    ]
  }

  private func resultNote(_ step: StoryStep, _ columns: Int, _ shown: Int) -> String? {
    let rows = (step.rows ?? step.results.count) - step.results.count
    let parts = [
      rows > 0 ? counted(rows, "more row") : nil,
      columns > shown ? counted(columns - shown, "more column") : nil,
    ]
    return joined(parts, by: " and ").map { $0 + "; what was recorded of them is in story.jsonl." }
  }
}
