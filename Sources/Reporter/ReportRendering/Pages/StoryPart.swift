import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportPlaces
import ReportStory

private let (longestPiece, longestStatement) = (600, 400)

/// A test's story on its page, and its long set-up on a separate page.
struct StoryPart {
  private static let mostValues = 5
  /// Limits for showing a read below the message.
  private static let (mostLinesOfMessage, mostOfOrigin) = (12, 6)

  let story: Story
  let test: TestResult
  let context: PageContext
  let marks: StoryValueMarks
  let selection: StorySelection
  /// The link to the set-up's page, if separate.
  let setUpPage: String?
  /// Steps that the test's lines link to.
  let linked: Set<Int>
  /// Steps shown with their source line.
  let telling: Set<Int>

  /// - Parameter isOfSetUp: True on the set-up's page.
  /// - Returns: `nil` without a story.
  init?(of test: TestResult, in context: PageContext, isOfSetUp: Bool = false) {
    guard let story = context.contents.stories[test.id] else { return nil }
    (self.story, self.test, self.context) = (story, test, context)
    marks = StoryValueMarks(story)
    linked = Set(story.lines.flatMap { line in [line.first] + line.called.map(\.first) }.compactMap { $0 })
    telling = Set(story.tellingSteps.map(\.number))
    setUpPage = context.setUpPath(of: test).flatMap(context.link(to:))
    let page = isOfSetUp ? context.link(toPageOf: test) : setUpPage
    let others = isOfSetUp ? story.items + story.afterFailure : story.setUp
    let own = isOfSetUp || page == nil ? story.setUp : []
    selection = StorySelection(
      story, listing: own + (isOfSetUp ? [] : story.items + story.afterFailure),
      elsewhere: page.map { (Set(others.stepNumbers), $0) })
  }

  var values: TemplateValues {
    let (odd, hasOthers) = story.rareOddSteps { story.markText($0) }
    let rare = RareMarks(story)
    let lines = CodeLines(story: story, sources: context.contents.sourceLines)
      .values(selection, place: context.placeValues)
    let (beside, why) = (readsBesideMessage, whyValues)
    let (origin, isLong) = (beside.map { originValues($0, of: beside.count) }, isMessageLong)
    let leading = why.isEmpty ? refusedStatement : nil
    let highlights = highlightValues(but: Set(beside + [leading].compactMap(\.self)))
    let values = messageValues(
      places: 1,
      besides: beside.map { story.highlights[$0].last }.first { $0 == story.originStep })
    return [
      "why": why, "hasWhy": !why.isEmpty,
      "hasLines": !lines.isEmpty, "codeLines": lines,
      "from": isLong ? [] : origin, "hasFrom": !isLong && !origin.isEmpty,
      "fromBesideLong": isLong ? origin : [],
      "refused": leading.map(highlightValues(at:)),
      "change": highlights.isEmpty && leading == nil ? visible(story.changeText) : nil,
      "highlights": highlights, "place": placeText,
      "origin": story.sourceText, "advice": story.advice,
      "notices": story.notices.map { visible($0) },
      "odd": odd.prefix(Story.mostOdd).map { oddValues($0, rare) }, "hasOdd": !odd.isEmpty,
      "hasMoreOdd": odd.count > Story.mostOdd || hasOthers,
      "messageValues": Array(values.prefix(Self.mostValues)),
      "hasMessageValues": !values.isEmpty,
      "states": story.states.filter { $0.source == .uncommittedCopy || $0.source == .fixture }
        .map(stateValues),
      "passed": story.comparison.map(passValues), "all": allValues,
    ]
  }

  private var placeText: String? {
    let files = story.databases.filter { $0.path != nil }
    let names = (files.isEmpty ? story.databases : files).map(\.name)
    let more = names.count > 2 ? " and \(grouped(names.count - 2)) more" : ""
    return names.isEmpty ? nil : visibleOnOneLine(names.prefix(2).joined(separator: ", ") + more)
  }

  private func oddValues(_ odd: OddSteps, _ rare: RareMarks) -> TemplateValues {
    guard let step = odd.recent.last else { return [:] }
    let (others, unnamed) = (odd.others, odd.unnamedText)
    return [
      "number": step.number, "link": selection.values(linkTo: step.number),
      "marks": rare[step].enumerated().map { index, mark in
        let (before, other, after) = story.words(of: mark, in: step)
        return selection.values(
          before: visibleOnOneLine((index == 0 ? "" : "; ") + before), other, after: visibleOnOneLine(after))
      },
      "at": step.stack?.place.map(placeValues),
      "statement": visibleOnOneLine(shortened(step.statement.trimmed, to: 120)),
      "others": others.enumerated().map { index, step in
        let isLast = unnamed == nil && index + 1 == others.count
        return selection.values(
          before: index == 0 ? ", likewise " : isLast ? " and " : ", ", step.number, after: "")
      },
      "unnamed": unnamed.map { (others.isEmpty ? ", likewise " : " and ") + $0 },
    ]
  }

  /// - Parameters:
  ///   - most: The most places per value.
  ///   - origin: A read beside the message that shows the value.
  func messageValues(places most: Int, besides origin: Int? = nil) -> [TemplateValues] {
    let operands = test.issuesOfFailure.first(where: \.isFailure).flatMap {
      NamedOperands(of: $0, sources: context.contents.sources)
    }
    return story.messageValues.enumerated().compactMap { index, value -> TemplateValues? in
      let places = story.valuePlaces.filter { $0.value == index }
      guard !places.isEmpty, origin == nil || !places.contains(where: { $0.place.step == origin }) else {
        return nil
      }
      return [
        "sign": MessageValue.sign(index), "text": visibleOnOneLine(shortened(value.text, to: 60)),
        "role": visibleOnOneLine(shortened(value.roleText(operands), to: 60)),
        "places": places.prefix(most).map { place -> TemplateValues in
          [
            "text": visibleOnOneLine(story.text(of: place.place)),
            "link": selection.values(linkTo: place.place.step),
          ]
        },
      ]
    }
  }

  func placeValues(_ place: Place) -> TemplateValues {
    context.placeValues(place.reference, text: place.text)
  }

  private func stateValues(_ state: StoryStates) -> TemplateValues {
    [
      "name": visibleOnOneLine(state.name),
      "changes": changesValues(state.changes, baseline: nil, since: nil),
    ]
  }

  // MARK: - What may have caused the failure

  /// Values for template `why`.
  var whyValues: [TemplateValues] {
    story.explanations.map { explanation in
      [
        "certainty": explanation.certainty.rawValue,
        "certaintyText": explanation.certaintyText, "pieces": pieceValues(explanation.pieces),
        "rows": explanation.rows.map { rowValues($0, names: explanation.names) },
      ]
    }
  }

  /// Values for template `pieces`.
  func pieceValues(_ pieces: [Explanation.Piece]) -> [TemplateValues] { pieces.map(pieceValues) }

  private func pieceValues(_ piece: Explanation.Piece) -> TemplateValues {
    var values: TemplateValues = ["isPlain": false, "isStatement": false, "isStep": false, "at": nil]
    func shown(_ text: String) -> String { visibleOnOneLine(shortened(text, to: longestPiece)) }
    switch piece {
    case .text(let text), .values(let text, without: _):
      values.set("isPlain", to: true)
      values.set("text", to: shown(text))
    case .statement(let sql):
      values.set("isStatement", to: true)
      values.set("text", to: shown(Explanation.cut(sql)))
    case .place(let place):
      values.set("at", to: placeValues(place))
    case .step(let number), .number(let number):
      values.set("isStep", to: true)
      values.set("text", to: [piece].text)
      values.set("link", to: selection.values(linkTo: number))
    }
    return values
  }

  // MARK: - What was written, tried and read last

  private var readsBesideMessage: [Int] { test.issuesOfFailure.isEmpty ? [] : story.leadingReads }

  /// True when the message fills the first screen.
  private var isMessageLong: Bool {
    textLines(of: test.issuesOfFailure.first?.message ?? "").count > Self.mostLinesOfMessage
  }

  private func originValues(_ index: Int, of count: Int) -> TemplateValues {
    let highlight = story.highlights[index]
    let isOneOfMany = count > 1 && highlight.last != story.originStep
    var values = highlightValues(
      highlight, title: story.leadingReadTitle(highlight), mostRows: isOneOfMany ? 2 : Self.mostOfOrigin)
    if isOneOfMany, let value = story[step: highlight.last]?.onlyValue {
      values.set("result", to: nil)
      values.set("count", to: "→ \(value)")
    }
    return values
  }

  private var refusedStatement: Int? { story.highlights.lastIndex { $0.kind == .failed } }

  /// Other highlights, without a last write if explanations name other steps.
  private func highlightValues(but shown: Set<Int>) -> [TemplateValues] {
    let named = story.explanations.flatMap(\.steps)
    return story.highlights.enumerated().compactMap { index, highlight in
      guard !shown.contains(index),
        named.isEmpty || highlight.kind != .wrote
          || named.contains(where: { (highlight.first...max(highlight.first, highlight.last)).contains($0) })
      else { return nil }
      return highlightValues(at: index)
    }
  }

  private func highlightValues(at index: Int) -> TemplateValues {
    let highlight = story.highlights[index]
    let isLast = !story.highlights[(index + 1)...].contains { $0.kind == highlight.kind }
    return highlightValues(highlight, title: highlight.title(isLast: isLast))
  }

  private func highlightValues(
    _ highlight: StoryHighlight, title: String, mostRows: Int = .max
  ) -> TemplateValues {
    let step = story[step: highlight.last]
    let isStatement = highlight.kind != .wrote
    return [
      "title": title, "steps": highlight.stepsText,
      "link": selection.values(linkTo: highlight.last),
      "state": highlight.kind == .wrote ? highlight.stateText : nil,
      "connection": hasSeveralConnections ? "connection \(highlight.connection)" : nil,
      "at": isStatement ? step?.stack?.place.map(placeValues) : nil,
      "sentence": isStatement ? nil : visible(highlight.changes.sentence),
      "statement": isStatement
        ? step.map { shortened($0.statement.trimmed, to: longestStatement) } : nil,
      "problem": step?.error.map { visible(shortened($0.message, to: 400)) },
      "tables": highlight.changes.tables.flatMap { tableValues($0, names: highlight.names) },
      "result": highlight.kind == .read ? step.flatMap { resultValues($0, most: mostRows) } : nil,
      "count": highlight.kind == .read ? step?.rows.map { counted($0, "row") } : nil,
      "related": highlight.related.map { rowValues($0, names: highlight.names) },
    ]
  }

  private var hasSeveralConnections: Bool {
    Set(story.highlights.filter { $0.connection != 0 }.map(\.connection)).count > 1
  }

  private func tableValues(_ table: ChangeSummary.Table, names: ReferenceNames) -> [TemplateValues] {
    table.groups.filter { !$0.rows.isEmpty }.map { group in
      let shown = story.rows(group, of: table, marks: marks, limits: .init(columns: 8))
      return rowValues(shown, title: "\(story.name(of: table.table)): \(group.title(table.columns))") {
        names[table.table, $0, $1]
      }
    }
  }

  // MARK: - Rows that changed, and rows that were returned

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
      story.rows(changes, of: step.number, marks: marks, limits: .init(record: story.record)), title: title)
  }

  func rowValues(
    _ rows: StoryRows, title: String?, names: (String, DatabaseValue) -> String? = { _, _ in nil }
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

  /// A cell with its referenced row's name.
  private func named(_ cell: TemplateValues, _ name: String?) -> TemplateValues {
    guard let name else { return cell }
    var cell = cell
    cell.set("note", to: visibleOnOneLine(name))
    return cell
  }

  private func cell(_ cell: StoryRows.Cell) -> TemplateValues {
    var values = self.cell(cell.value, met: cell.met)
    if let meaning = cell.meaning { values.set("note", to: visibleOnOneLine(meaning)) }
    guard cell.hasChanged else { return values }
    values.set("before", to: self.cell(cell.before, met: cell.metBefore))
    return values
  }

  private func cell(_ value: DatabaseValue?, met: [Int]) -> TemplateValues {
    var values = value.map(cellValues) ?? ["style": "null", "text": "not told", "note": nil, "uuid": nil]
    values.set("before", to: nil)
    values.set("met", to: met.isEmpty ? nil : met.map(MessageValue.sign).joined())
    return values
  }

  func rowValues(_ related: RelatedRows, names: ReferenceNames) -> TemplateValues {
    let rows = related.rows.enumerated().map { index, row -> TemplateValues in
      let label = related.labels[safe: index].map { [cell(.text($0), met: [])] } ?? []
      let cells = zip(related.columns, row).map { column, value in
        named(cell(value, met: []), names[related.table, column, value])
      }
      return ["style": "", "sign": nil, "word": nil, "cells": label + cells]
    }
    let more = (related.count ?? related.rows.count) - related.rows.count
    return [
      "title": visibleOnOneLine(related.title), "isResult": true, "hasRows": !rows.isEmpty,
      "written": related.step.map { selection.values(linkTo: $0) },
      "columns": ((related.labels.isEmpty ? [] : ["written by"]) + related.columns).map(headingValues),
      "rows": rows,
      "sums": [] as [TemplateValues], "note": more > 0 ? counted(more, "more row") : nil,
    ]
  }

  /// The rows a step returned, if recorded.
  ///
  /// - Parameter most: The most rows, around the first match with the message.
  func resultValues(_ step: StoryStep, most: Int = .max) -> TemplateValues? {
    guard !step.results.isEmpty else { return nil }
    let count = max(step.columns.count, step.results.map(\.count).max() ?? 0)
    let shown = min(count, StoryBudget.columnsOfResult)
    func met(_ row: Int, _ column: Int) -> [Int] {
      marks.values(inStep: step.number, row: row, column: column)
    }
    let telling = step.results.indices.first { row in (0..<shown).contains { !met(row, $0).isEmpty } } ?? 0
    let start = step.results.count <= most ? 0 : max(0, telling - 1)
    let range = start..<min(step.results.count, start + min(most, step.results.count))
    let rows = range.map { index -> TemplateValues in
      let row = step.results[index]
      let cells = (0..<shown).map { column in
        cell(row.indices.contains(column) ? row[column] : nil, met: met(index, column))
      }
      return ["style": "", "sign": nil, "word": nil, "cells": cells]
    }
    return [
      "title": nil, "isResult": true, "hasRows": true, "written": nil,
      "columns": (0..<shown).map { headingValues(step.columns.columnName($0)) },
      "rows": rows,
      "note": range.count < step.results.count
        ? rangeText(range, of: step) : resultNote(step, count, shown),
      "sums": (marks.sums[step.number] ?? []).map { sum -> TemplateValues in
        [
          "column": visibleOnOneLine(step.columns.columnName(sum.column)),
          "sign": MessageValue.sign(sum.value),
        ]
      },
    ]
  }

  private func rangeText(_ range: Range<Int>, of step: StoryStep) -> String {
    "Rows \(grouped(range.lowerBound + 1)) to \(grouped(range.upperBound)) of \(grouped(step.rows ?? step.results.count))."
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

extension PageContext {
  /// Longer set-ups get a page.
  private static let mostOfSetUp = 50

  /// The path of the set-up's page, if separate.
  func setUpPath(of test: TestResult) -> String? {
    guard single == nil, let story = contents.stories[test.id],
      story.setUp.reduce(0, { $0 + $1.entryCount }) > Self.mostOfSetUp
    else { return nil }
    return names.stem(of: test).map { "tests/\($0).set-up.html" }
  }
}

/// Values for template `set-up-page`, if any.
func setUpPageValues(of test: TestResult, in context: PageContext) -> TemplateValues? {
  guard let setUp = StoryPart(of: test, in: context, isOfSetUp: true)?.setUpValues else { return nil }
  var values = context.pageValues(
    title: "Set-up: \(shortened(test.title, to: 120)) · \(context.contents.report.title)")
  values.set("name", to: test.nameValues)
  values.set("testPage", to: context.link(toPageOf: test))
  values.set("setUp", to: setUp)
  return values
}

extension StoryPiece<StoryGroup> {
  fileprivate var entryCount: Int { max(1, kept.reduce(0) { $0 + $1.entries.count }) }
}
