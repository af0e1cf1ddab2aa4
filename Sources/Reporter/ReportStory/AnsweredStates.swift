import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportPlaces

extension StoryBuilder {
  package func answer(
    to question: StateQuestion, of schemas: [CapturedSchema], in folder: String, includesRows: Bool
  ) -> StateAnswer {
    var answer = StateAnswer(question: question, includesRows: includesRows)
    answer.steps = steps.map(\.number)
    if case .step(let number) = question, includesRows {
      answer.statement = steps.first { $0.number == number }.map { $0.expanded ?? $0.sql }
    }
    for schema in schemas {
      guard let database = database(of: schema) else { continue }
      let names = schema.tables.keys.filter { !$0.isOfSQLite && !answer.tables.contains($0) }
      answer.tables += names.sorted()
      let states = StateTimeline(
        self, database: database, schema: schema, file: folder + "/" + schema.evidence)
      var told = StateAnswer.Database(
        name: databases.list[database].name, isUncommitted: schema.isUncommitted)
      switch question {
      case .step(let step): told.tables = states.tablesWritten.map { states.shown($0, after: step) }
      case .row(let table, let key):
        guard states.tables.contains(where: { foldedName($0.name) == foldedName(table) }) else { continue }
        told.columns = states[table].columns(count: nil)
        told.past =
          states.key(key, in: table).map { located(states.past(of: $0, in: table)) }
          ?? RowPast(origin: .nowhere)
      }
      answer.databases.append(told)
    }
    return answer
  }

  private func located(_ past: RowPast) -> RowPast {
    let stacks = Dictionary(
      steps.compactMap { step in step.stack.map { (step.number, $0) } },
      uniquingKeysWith: { first, _ in first })
    var past = past
    for index in past.entries.indices {
      past.entries[index].place = stacks[past.entries[index].step].flatMap { callStacks[$0]?.place }
    }
    return past
  }
}

extension StateTimeline {
  /// Rows of which those that are not shown are counted.
  private static let mostCounted = 2000

  /// Without those behind virtual tables.
  fileprivate var tablesWritten: [String] {
    tables.filter { table in
      !isBehindVirtual(table.name) && table.layout?.isVirtual != true
        && !table.events.allSatisfy(\.isBarrier)
    }.map(\.name)
  }

  /// The rows that a step changed in a table, with some around them; what lies between is counted.
  fileprivate func shown(_ name: String, after step: Int) -> StateAnswer.Table {
    var table: StateAnswer.Table
    switch page(of: name, .after(step: step), upTo: Self.mostCounted) {
    case .failure(let bound): return StateAnswer.Table(name: name, bound: bound)
    case .success(let page): table = page
    }
    table.showsKey = self[name].showsKey
    guard table.exists else { return table }
    let changed = rows(changedBy: step, in: name).sorted { $0.key < $1.key }
    table.changed = changed.count
    table.omitted = max(0, changed.count - StateAnswer.Table.mostChanged)
    if table.leftOut == 0 {
      table.choose(of: Self.all(table.rows, with: changed, hasRowid: self[name].hasRowid))
    } else if changed.isEmpty {
      table.choose(of: table.rows)
    } else {
      table.rows = rows(around: Array(changed.prefix(StateAnswer.Table.mostChanged)), in: name, after: step)
      table.leftOut = nil
    }
    return table
  }

  /// All rows of a table, with those that the step deleted in their places.
  private static func all(
    _ rows: [StateAnswer.Row], with changed: [StateAnswer.Row], hasRowid: Bool
  ) -> [StateAnswer.Row] {
    let changes = Dictionary(changed.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let there = Set(rows.map(\.key))
    let all = changed.filter { !there.contains($0.key) } + rows.map { changes[$0.key] ?? $0 }
    return hasRowid ? all.sorted { $0.key < $1.key } : all
  }

  /// The rows of a large table, of which nothing counts those between them.
  private func rows(
    around changed: [StateAnswer.Row], in name: String, after step: Int
  ) -> [StateAnswer.Row] {
    guard let first = changed.first, let last = changed.last, self[name].hasRowid else {
      return changed.map(\.withOthersBefore)
    }
    let around = StateAnswer.Table.around
    func near(_ key: RowKey, isDescending: Bool) -> [StateAnswer.Row]? {
      let page = page(of: name, .after(step: step), behind: key, isDescending: isDescending, upTo: around)
      return try? page.get().rows  // “… more rows” stands there then, beside the changed ones.
    }
    let before = near(first.key, isDescending: true)
    let behind = near(last.key, isDescending: false)?.filter { row in
      !changed.contains { $0.key == row.key }
    }
    var rows = (before ?? []).reversed() + [first] + changed.dropFirst().map(\.withOthersBefore)
    rows += behind ?? []
    // Nothing lies before the first row only where fewer were found than asked for.
    if before.map({ $0.count == around }) ?? true { rows[0].leftOut = nil }
    return rows
  }

  private func rows(changedBy step: Int, in name: String) -> [StateAnswer.Row] {
    var before: [RowKey: [DatabaseValue?]?] = [:]
    var behind: [RowKey: [DatabaseValue?]?] = [:]
    for event in self[name].events where event.step == step && isVisible(event, to: .after(step: step)) {
      guard case .row(let change) = event.kind else { continue }
      if let key = change.before {
        if before[key] == nil { before[key] = .some(change.old) }
        behind[key] = .some(nil)
      }
      if let key = change.after {
        if before[key] == nil { before[key] = .some(nil) }
        behind[key] = .some(change.new)
      }
    }
    return behind.compactMap { key, new in
      switch (before[key] ?? nil, new) {
      case (nil, nil): nil
      case (nil, let new?): .init(operation: .insert, key: key, values: new)
      case (let old?, nil): .init(operation: .delete, key: key, old: old, values: old)
      case (let old?, let new?):
        old == new && !new.contains(nil) ? nil : .init(operation: .update, key: key, old: old, values: new)
      }
    }
  }

  /// The key of a row from the texts that a reader typed.
  fileprivate func key(_ texts: [String], in table: String) -> RowKey? {
    let name = foldedName(table)
    let told = self[name]
    if told.hasRowid, texts.count == 1, let number = Int64(texts[0]) { return .rowid(number) }
    let columns = told.layout?.key ?? []
    guard columns.count == texts.count else { return nil }
    func reads(_ row: [DatabaseValue?]) -> Bool {
      zip(columns, texts).allSatisfy { column, text in
        switch row.indices.contains(column) ? row[column] : nil {
        case .integer(let number): "\(number)" == text
        case .real(let number): "\(number)" == text
        case .text(let value, nil): value == text
        default: false
        }
      }
    }
    // The steps may tell it where the file cannot be read.
    if let key = try? file?.row(withKey: texts, in: name) { return key }
    for event in told.events.reversed() where isVisible(event, to: .captured) {
      guard case .row(let change) = event.kind else { continue }
      if let key = change.after, reads(change.new) { return key }
      if let key = change.before, reads(change.old) { return key }
    }
    return nil
  }
}

extension StateAnswer.Row {
  fileprivate var withOthersBefore: StateAnswer.Row {
    var row = self
    row.leftOut = nil
    return row
  }
}

extension StateAnswer.Table {
  fileprivate static let (whole, first, around, mostChanged) = (20, 5, 2, 12)

  /// Chooses the rows to show: all of a few, else the changed ones with some around them, else the first ones.
  fileprivate mutating func choose(of all: [StateAnswer.Row]) {
    guard all.count > Self.whole || leftOut != 0 else {
      rows = all
      return
    }
    let changed = all.indices.filter { all[$0].operation != nil }.prefix(Self.mostChanged)
    var shown = Set(changed)
    if let first = changed.first, let last = changed.last {
      shown.formUnion(max(0, first - Self.around)...min(all.count - 1, last + Self.around))
      shown = shown.filter { place in
        all[place].operation == nil ? place < first || place > last : changed.contains(place)
      }
    } else {
      shown = Set(0..<min(all.count, Self.first))
    }
    // A row takes no more room than the line that counts it.
    for place in all.indices where shown.contains(place - 1) && shown.contains(place + 1) {
      shown.insert(place)
    }
    var end = 0
    rows = shown.sorted().map { place in
      defer { end = place + 1 }
      var row = all[place]
      row.leftOut = place - end
      return row
    }
    if leftOut == 0 { leftOut = all.count - end }
  }
}
