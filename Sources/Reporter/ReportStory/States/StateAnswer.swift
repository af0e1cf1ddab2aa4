import Collector
package import ExhibitSQLite
package import ReportInspection
import ReportModel
import ReportPlaces

/// A question about the states of a story.
package enum StateQuestion: Sendable, Equatable {
  /// The tables as they were after it.
  case step(Int)
  /// The past of a row; the key is its rowid, or the values of its primary key.
  case row(table: String, key: [String])

  /// - Parameter row: As `orders:7` or `stock:A,3`; a name may have colons, a key that has commas cannot be given.
  package init?(row: String) {
    guard let colon = row.lastIndex(of: ":"), colon != row.startIndex else { return nil }
    let key = row[row.index(after: colon)...].split(separator: ",").map(String.init)
    guard !key.isEmpty else { return nil }
    self = .row(table: String(row[..<colon]), key: key)
  }
}

/// The answer to a question about states, by captured database.
package struct StateAnswer: Sendable, Equatable {
  package struct Row: Sendable, Equatable {
    /// The operation of the step on the row; `nil` where it did nothing.
    package var operation: RowOperation?
    package var key: RowKey
    package var old: [Story.Value?] = []
    /// A value that is not told is `nil`.
    package var values: [Story.Value?]
  }

  package struct Table: Sendable, Equatable {
    package var name: String
    /// The names of the columns that hold values.
    package var columns: [String] = []
    /// True when no column that is shown is the key.
    package var showsKey = false
    /// True when the table was there at all.
    package var exists = true
    package var rows: [Row] = []
    /// Rows that the step changed and that are not in `rows`.
    package var omitted = 0
    /// The number of changed rows.
    package var changed = 0
    /// True when there may be other rows.
    package var hasMore = false
    package var bound: StateBound?
  }

  package struct Database: Sendable, Equatable {
    /// As a reader calls it.
    package var name: String
    package var isUncommitted: Bool
    package var tables: [Table] = []
    package var past: RowPast?
    package var columns: [String] = []
  }

  package var question: StateQuestion
  /// The step's text, where the story has it.
  package var statement: String?
  package var includesRows: Bool
  package var databases: [Database] = []
  /// The numbers of the steps that are told, in their order.
  var steps: [Int] = []
  /// The tables of all captured databases.
  var tables: [String] = []
}

extension StateAnswer {
  private static let mostTables = 20

  /// A sentence on why nothing could be answered; `nil` where something could.
  package var absence: String? {
    switch question {
    case .step(let number):
      guard number != 0, !steps.contains(number) else { return nil }
      guard let first = steps.first, let last = steps.last else {
        return "No steps of the test were recorded."
      }
      return "The story has no step \(number); its steps are \(first) to \(last)."
    case .row(let table, let key):
      if databases.isEmpty {
        guard !tables.isEmpty else { return "No captured database has a table \(table)." }
        let names = listed(tables, most: Self.mostTables)
        return "No captured database has a table \(table); there are \(names)."
      }
      let isKnown = databases.contains { database in
        database.past.map { $0.origin != .nowhere || !$0.entries.isEmpty } ?? false
      }
      return isKnown
        ? nil
        : "No row \(key.joined(separator: ", ")) of \(table) is known: no step wrote one, and there was none."
    }
  }
}

extension StoryBuilder {
  /// - Parameter folder: In which the captured files are.
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

  /// A row's past with the places of its steps.
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
  private static let (mostChanged, around, first) = (12, 2, 5)

  /// The tables that steps wrote, made or dropped, without those behind virtual ones.
  fileprivate var tablesWritten: [String] {
    tables.filter { table in
      !isBehindVirtual(table.name) && table.layout?.isVirtual != true
        && !table.events.allSatisfy(\.isBarrier)
    }.map(\.name)
  }

  /// The part of a table that is shown after a step: the rows that it changed, with some around them.
  fileprivate func shown(_ name: String, after step: Int) -> StateAnswer.Table {
    var table: StateAnswer.Table
    switch page(of: name, .after(step: step), upTo: Self.first) {
    case .failure(let bound): return StateAnswer.Table(name: name, bound: bound)
    case .success(let page): table = page
    }
    table.showsKey = self[name].showsKey
    let changed = rows(changedBy: step, in: name).sorted { $0.key < $1.key }
    guard table.exists, let first = changed.first, let last = changed.last else { return table }
    table.changed = changed.count
    table.omitted = max(0, changed.count - Self.mostChanged)
    table.hasMore = true
    table.rows = Array(changed.prefix(Self.mostChanged))
    guard self[name].hasRowid else { return table }
    let known = Set(changed.map(\.key))
    for (key, isDescending) in [(first.key, true), (last.key, false)] {
      let near = page(
        of: name, .after(step: step), behind: key, isDescending: isDescending, upTo: Self.around)
      guard case .success(let near) = near else { continue }
      table.rows += near.rows.filter { !known.contains($0.key) }
    }
    table.rows.sort { $0.key < $1.key }
    return table
  }

  /// Rows that are others behind a step than before it, as the step itself sees them.
  private func rows(changedBy step: Int, in name: String) -> [StateAnswer.Row] {
    var before: [RowKey: [Story.Value?]?] = [:]
    var behind: [RowKey: [Story.Value?]?] = [:]
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

  /// The key of a row as a reader gives it: the rowid, or the values of the primary key.
  fileprivate func key(_ texts: [String], in table: String) -> RowKey? {
    let name = foldedName(table)
    let told = self[name]
    if told.hasRowid, texts.count == 1, let number = Int64(texts[0]) { return .rowid(number) }
    let columns = told.layout?.key ?? []
    guard columns.count == texts.count else { return nil }
    func reads(_ row: [Story.Value?]) -> Bool {
      zip(columns, texts).allSatisfy { column, text in
        switch row.indices.contains(column) ? row[column] : nil {
        case .integer(let number): "\(number)" == text
        case .real(let number): "\(number)" == text
        case .text(let value, nil): value == text
        default: false
        }
      }
    }
    // The inspection of the same file has told why it cannot be read; the steps may tell it.
    if let key = try? file?.row(withKey: texts, in: name) { return key }
    for event in told.events.reversed() where isVisible(event, to: .captured) {
      guard case .row(let change) = event.kind else { continue }
      if let key = change.after, reads(change.new) { return key }
      if let key = change.before, reads(change.old) { return key }
    }
    return nil
  }
}
