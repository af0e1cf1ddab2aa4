import Collector
import ReportInspection
import ReportModel
import ReportPlaces
import ReportStory

private let (shortStatement, longStatement) = (600, 20_000)
private let briefStatement = 200

/// All steps of a story, collapsed: by table and by transaction.
extension StoryPart {
  /// Values for template `story-steps`; `nil` without steps.
  var allValues: TemplateValues? {
    guard !story.stepNumbers.isEmpty || !story.changes.tables.isEmpty else { return nil }
    let messageValues = messageValues(places: .max)
    return [
      "title": "All steps",
      "tally": [story.tally, story.changes.sentence.isEmpty ? nil : visible(story.changes.sentence)]
        .compactMap { $0 }
        .joined(separator: " · "),
      "file": test.evidence.last { $0.kind == .story }?.path.flatMap(context.link(to:)),
      "messageValues": messageValues, "hasMessageValues": !messageValues.isEmpty,
      "tables": story.changes.tables.map(tableValues), "areTablesOpen": areTablesOpen,
      "hasTables": !story.changes.tables.isEmpty,
      "tableTally": counted(story.changes.tables.count, "table"),
      "setUp": setUpPage == nil ? partValues(story.setUp) : nil,
      "setUpPage": setUpPage.map { ["page": $0, "tally": tally(of: story.setUp)] as TemplateValues },
      "items": itemValues(story.items), "hasItems": !story.items.isEmpty,
      "afterFailure": partValues(story.afterFailure),
      "leftOut": leftOutValues((setUpPage == nil ? story.setUp : []) + story.items + story.afterFailure),
    ]
  }

  /// Steps without a line: each statement and place once with its count.
  private func leftOutValues(_ items: [StoryItem]) -> TemplateValues? {
    let steps = items.flatMap(\.kept).flatMap(\.entries).compactMap(\.only).filter {
      !selection.shows($0) && !selection.lists($0)
    }
    guard !steps.isEmpty else { return nil }
    let alike = Dictionary(grouping: steps) { [$0.commit?.text ?? $0.sql, $0.placeText ?? ""] }.values
      .sorted { ($1.count, $0[0].number) < ($0.count, $1[0].number) }
    let rest = alike.dropFirst(StoryBudget.leftOutStatements)
    return [
      "tally": counted(steps.count, "step"),
      "statements": alike.prefix(StoryBudget.leftOutStatements).map { runs -> TemplateValues in
        [
          "statement": visibleOnOneLine(
            shortened((runs[0].commit?.text ?? runs[0].sql).trimmed, to: briefStatement)),
          "times": counted(runs.count, "time"), "steps": stepsText(runs.map(\.number)),
          "rows": totalsText(
            rows: runs.reduce(0) { $0 + ($1.rows ?? 0) }, changed: runs.reduce(0) { $0 + ($1.changed ?? 0) }),
          "at": runs[0].placeText.map { visibleOnOneLine($0) },
        ]
      },
      "rest": rest.isEmpty
        ? nil : "\(counted(rest.count, "more statement")), \(counted(rest.joined().count, "step")).",
    ]
  }

  private func stepsText(_ numbers: [Int]) -> String? {
    guard let first = numbers.min(), let last = numbers.max(), first > 0 else { return nil }
    return first == last ? "step \(first)" : "between steps \(first) and \(last)"
  }

  /// True for short tables, which are expanded.
  private var areTablesOpen: Bool {
    story.changes.tables.flatMap(\.groups).reduce(0) { $0 + min($1.count, StoryBudget.rowsOfGroup) } <= 8
  }

  // MARK: - By table

  private func tableValues(_ table: ChangeSummary.Table) -> TemplateValues {
    let counts = [(table.added, "added"), (table.changed, "changed"), (table.removed, "removed")]
    let groups = table.groups.filter { !$0.rows.isEmpty }.map { group in
      let shown = story.rows(group, of: table, marks: marks, limits: .init(record: story.record))
      return rowValues(shown, title: group.count > 1 ? group.title(table.columns) : nil)
    }
    return [
      "name": visibleOnOneLine(story.name(of: table.table)),
      "fate": table.fate == .kept ? nil : table.fate.rawValue,
      "tally": counts.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }.joined(separator: " · "),
      "notes": table.columnNotes.map { visibleOnOneLine($0) }, "hasNotes": !table.columnNotes.isEmpty,
      "unkept": table.unkept > 0 ? "\(counted(table.unkept, "more change")) had no room in the trace." : nil,
      "groups": groups,
    ]
  }

  // MARK: - Steps

  private func partValues(_ items: [StoryItem]) -> TemplateValues? {
    items.isEmpty ? nil : ["tally": tally(of: items), "items": itemValues(items)]
  }

  private func tally(of items: [StoryItem]) -> String {
    counted(items.reduce(0) { $0 + $1.stepCount }, "step")
  }

  /// Values for template `set-up-page`.
  var setUpValues: TemplateValues? {
    var values = partValues(story.setUp)
    values?.set("leftOut", to: leftOutValues(story.setUp))
    return values
  }

  private func itemValues(_ items: [StoryItem]) -> [TemplateValues] {
    items.map { item in
      switch item {
      case .one(let group): only("group", groupValues(group))
      case .issue(let ordinal): only("issue", issueValues(ordinal))
      case .repeated(let repeated): only("repeat", repeatedValues(repeated))
      }
    }
  }

  /// Sets one of the kinds that templates distinguish.
  private func only(_ name: String, _ value: some TemplateInsertable) -> TemplateValues {
    var values: TemplateValues = ["group": nil, "step": nil, "repeat": nil, "issue": nil, "omitted": nil]
    values.set(name, to: value)
    return values
  }

  private func repeatedValues(_ repeated: Repeated<StoryGroup>) -> TemplateValues {
    [
      "title": "\(grouped(repeated.times)) times the same",
      "tally": repeated.totalsText,
      "statements": repeated.first.flatMap(\.steps).prefix(5).map { statementValues($0, nil) },
      "first": repeated.first.map(groupValues), "last": repeated.last.map(groupValues),
      "between": betweenText(repeated),
    ]
  }

  /// A sentence on the steps of a repetition that have no line.
  private func betweenText<Content>(_ repeated: Repeated<Content>) -> String? {
    guard repeated.stepsBetween > 0 else { return nil }
    let them = "\(counted(repeated.times - 2, "more time")) of the same"
    return
      "\(counted(repeated.stepsBetween, "step")) between, \(them), \(repeated.stepsBetween == 1 ? "has" : "have") no line here\(recordText)."
  }

  /// Where all steps are, if anywhere.
  private var recordText: String { story.record.map { ": see \($0)" } ?? "" }

  private func statementValues(_ step: StoryStep, _ tally: String?) -> TemplateValues {
    ["statement": visibleOnOneLine(shortened(step.sql, to: 200)), "tally": tally]
  }

  private func groupValues(_ group: StoryGroup) -> TemplateValues {
    let style =
      switch group.state {
      case .single: "single"
      case .committed: "committed"
      case .rolledBack: "undone"
      case .open, .unexplained: "open"
      case .inWAL: "committed"
      }
    return [
      "style": style, "title": group.title, "isOdd": group.isOdd,
      "place": visibleOnOneLine(group.place(in: story)), "entries": entryValues(group.entries),
    ]
  }

  private func entryValues(_ entries: [StoryEntry]) -> [TemplateValues] {
    var values: [TemplateValues] = []
    var omitted: [StoryStep] = []
    func tellOmitted() {
      guard !omitted.isEmpty else { return }
      values.append(only("omitted", omittedValues(omitted)))
      omitted = []
    }
    for entry in entries {
      if let step = entry.only, !selection.shows(step) {
        omitted.append(step)
        continue
      }
      tellOmitted()
      switch entry {
      case .one(let step): values.append(only("step", stepValues(step)))
      case .repeated(let repeated): values.append(only("repeat", repeatedValues(repeated)))
      case .issue(let ordinal): values.append(only("issue", issueValues(ordinal)))
      }
    }
    tellOmitted()
    return values
  }

  /// Steps beyond the limit, one line each.
  private func omittedValues(_ steps: [StoryStep]) -> TemplateValues {
    let listed = steps.filter { selection.lists($0) }
    let rest = steps.count - listed.count
    return [
      "tally": counted(listed.count, "step"), "hasSteps": !listed.isEmpty,
      "steps": listed.map { step -> TemplateValues in
        [
          "number": step.number, "label": step.label,
          "statement": visibleOnOneLine(shortened(step.statement.trimmed, to: briefStatement)),
          "result": step.resultText(rows: step.rows, changed: step.changed),
          "at": step.placeText.map { visibleOnOneLine($0) },
        ]
      },
      "rest": rest > 0 ? "\(counted(rest, "step")) left out here\(recordText)." : nil,
    ]
  }

  private func repeatedValues(_ repeated: Repeated<StoryStep>) -> TemplateValues {
    [
      "title": "\(grouped(repeated.times)) times",
      "isPlain": (repeated.first + repeated.last).allSatisfy(isPlain),
      "tally": repeated.totalsText,
      "statements": repeated.first.enumerated().map { index, step in
        statementValues(
          step,
          repeated.first.count > 1 && repeated.rows.indices.contains(index)
            && repeated.changed.indices.contains(index)
            ? totalsText(rows: repeated.rows[index], changed: repeated.changed[index]) : nil)
      },
      "first": repeated.first.map(stepValues), "last": repeated.last.map(stepValues),
      "between": betweenText(repeated), "steps": rangeText(repeated),
    ]
  }

  /// `steps 3 to 14`, for a repetition that has one line.
  private func rangeText(_ repeated: Repeated<StoryStep>) -> String? {
    guard let first = repeated.first.first?.number, let last = repeated.last.last?.number else { return nil }
    return "steps \(grouped(first)) to \(grouped(last))"
  }

  /// True for a step with nothing but its statement.
  private func isPlain(_ step: StoryStep) -> Bool {
    !linked.contains(step.number) && step.marks.isEmpty && step.remarks.isEmpty && step.error == nil
      && !step.isRunning && step.results.isEmpty
      && step.undone == nil && step.commit == nil && step.ownerText == nil && step.triggers.isEmpty
      && (step.changes + step.consequences).allSatisfy(\.changes.isEmpty)
  }

  private func issueValues(_ ordinal: Int) -> TemplateValues {
    guard let issue = test.issuesOfFailure[safe: ordinal] else {
      return ["title": "Issue \(ordinal + 1)", "headline": nil, "style": "failed"]
    }
    let headline = FailureMessage(issue.message).difference?.headline ?? issue.message
    return [
      "title": issue.isFailure ? "The test failed here" : "\(issue.label) here", "headline": glance(headline),
      "style": issue.style,
    ]
  }

  private func stepValues(_ step: StoryStep) -> TemplateValues {
    let statement = step.statement.trimmed
    let isLong = statement.unicodeScalars.count > shortStatement
    let isQuiet = marks.isQuiet(step)
    let others = step.consequences.filter { !$0.isOmitted }.map { rowValues($0, of: step) }
    return [
      "number": step.number, "label": step.label, "isCommit": step.commit != nil,
      "isUndone": step.undone != nil,
      "isOdd": !step.marks.isEmpty || step.error != nil || step.isRunning,
      "isRead": step.isReadOnly || isQuiet,
      "statement": shortened(statement, to: shortStatement),
      "whole": isLong ? shortened(statement, to: longStatement) : nil,
      "facts": step.facts(
        result: (isQuiet ? step.onlyValue.map { "→ \($0)" } : nil)
          ?? step.resultText(rows: step.rows, changed: step.changed)
      ).map { fact -> TemplateValues in
        [
          "isResult": fact.kind == .result, "isLabel": fact.kind == .label,
          "text": fact.kind == .label ? visibleOnOneLine(fact.text) : fact.text,
        ]
      },
      "owner": step.ownerText, "from": step.stack.flatMap { stackValues($0, of: step) },
      "opener": step.opener.map { context.placeValues($0.reference, text: $0.text) },
      "marks": step.marks.map { markValues($0, of: step) },
      "remarks": step.remarks.map { visible(shortened($0, to: 1000)) },
      "changes": step.changes.filter { !$0.isOmitted }.map { rowValues($0, of: step) },
      "omitted": omitted(step),
      "consequences": step.consequences.isEmpty && step.triggers.isEmpty
        ? nil : consequenceValues(step, others),
      "rows": isQuiet ? nil : resultValues(step), "declarations": declarations(step),
    ]
  }

  /// Values for the place that ran the step.
  private func stackValues(_ stack: CallStack, of step: StoryStep) -> TemplateValues? {
    guard stack.frames.indices.contains(stack.telling) else { return nil }
    func values(_ frame: CallStack.Frame) -> TemplateValues {
      let through = frame.through.isEmpty ? "" : ", through \(frame.through.joined(separator: " and "))"
      return context.placeValues(frame.place.reference, text: frame.place.text + through)
    }
    let source =
      telling.contains(step.number)
      ? stack.place?.reference.flatMap { context.contents.sourceLines[$0] } : nil
    return [
      "place": values(stack.frames[stack.telling]), "hasMore": stack.frames.count > 1,
      "frames": stack.frames.map(values),
      "source": source.map { visibleOnOneLine(shortened($0.trimmed, to: 160)) },
    ]
  }

  private func omitted(_ step: StoryStep) -> String? {
    let tables = (step.changes + step.consequences).filter(\.isOmitted)
    guard !tables.isEmpty else { return nil }
    let told = tables.map {
      "\(counted($0.omitted, "row")) of \(story.name(of: $0.table, in: step.database))"
    }
    return visibleOnOneLine(
      "Changed \(told.joined(separator: ", "))\(story.record.map { ": see \($0)" } ?? "").")
  }

  private func markValues(_ mark: StoryMark, of step: StoryStep) -> TemplateValues {
    let (before, other, after) = story.words(of: mark, in: mark == .changedNothing ? step : nil)
    return selection.values(before: visibleOnOneLine(before), other, after: after)
  }

  private func consequenceValues(_ step: StoryStep, _ changes: [TemplateValues]) -> TemplateValues {
    let names = step.triggers.prefix(5).map { visibleOnOneLine($0) }.joined(separator: ", ")
    let more = step.triggers.count > 5 ? " and \(grouped(step.triggers.count - 5)) more" : ""
    let title = step.triggers.isEmpty ? "Foreign keys went on to change" : "Trigger \(names)\(more)"
    return ["title": title, "isIdle": step.consequences.isEmpty, "list": changes]
  }

  private func declarations(_ step: StoryStep) -> [TemplateValues] {
    let statements = step.commit?.statements ?? []
    let shown: [TemplateValues] = statements.prefix(20).map {
      ["statement": visibleOnOneLine(shortened($0, to: 300)), "more": nil]
    }
    guard statements.count > 20 else { return shown }
    return shown + [["statement": nil, "more": "\(counted(statements.count - 20, "more statement"))."]]
  }
}

extension StoryTableChanges {
  fileprivate var isOmitted: Bool { changes.isEmpty && omitted > 0 }
}
