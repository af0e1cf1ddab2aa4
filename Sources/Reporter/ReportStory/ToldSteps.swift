package import Collector
import ExhibitSQLite
package import ReportInspection
package import ReportModel
package import ReportPlaces

/// The steps before the first failure, as causes are looked for among them.
package struct ToldSteps: Sendable {
  /// A class, as a debug build copies all of a value for each look at one of its properties.
  package final class Step: Sendable {
    package let recorded: RecordedStory.Step
    package let text: StatementText
    package let database: Int
    /// Those that stand.
    package let changes: [Change]
    /// Those that were taken back before the failure.
    package let undone: [Change]
    package let stack: CallStack?
    /// Innermost first; the test's own is always called `test`.
    package let functions: String
    package let line: Int?
    /// The test's function itself asks, no code of the app.
    package let isTestsQuestion: Bool
    package let isSetUp: Bool
    package let transaction: Int?
    /// The step that ended its transaction before the failure.
    package let committedAt: Int?
    package let isUndone: Bool
    /// The step that took its changes back.
    package let takenBackAt: Int?

    package var number: Int { recorded.number }
    package var sql: String { recorded.sql }
    package var place: Place? { stack?.place }

    init(
      _ recorded: RecordedStory.Step, _ text: StatementText, database: Int, changes: [Change],
      undone: [Change], stack: CallStack?, functions: String, line: Int?, isTestsOwn: Bool, isSetUp: Bool,
      transaction: Int?, committedAt: Int?, isUndone: Bool, takenBackAt: Int? = nil
    ) {
      (self.recorded, self.text, self.database, self.changes) = (recorded, text, database, changes)
      (self.undone, self.stack, self.functions) = (undone, stack, functions)
      (self.line, self.isSetUp) = (line, isSetUp)
      isTestsQuestion = isTestsOwn && text.kind == .select
      (self.transaction, self.committedAt, self.isUndone) = (transaction, committedAt, isUndone)
      self.takenBackAt = takenBackAt
    }
  }

  package struct Change: Sendable {
    package var table: StoryTable
    package var told: RecordedStory.Change
    package var columns: [String]
    /// Before the change and behind it; `nil` where it is not there, or nothing tells it from others.
    package let row: RowKey?
    package let newRow: RowKey?

    init(table: StoryTable, told: RecordedStory.Change, columns: [String], _ layouts: StoryLayouts) {
      (self.table, self.told, self.columns) = (table, told, columns)
      row = told.operation == .insert ? nil : layouts.rowKey(told.key, told.old, in: table)
      newRow = told.operation == .delete ? nil : layouts.rowKey(told.newKey ?? told.key, told.new, in: table)
    }
  }

  package struct Attached: Sendable {
    package var connection: Int
    package var schema: String
    package var database: Int
  }

  package var steps: [Step]
  /// Missing changes of the schema and settings, of which only statements are known.
  package var counted: [Step] = []
  package var databases: [StoryDatabase]
  /// True when no step after the set-up is missing.
  package var isWhole: Bool
  package var hasRows: Bool
  /// As in the rows that were told last.
  package var columns: [StoryTable: [String]]
  /// Primary keys, and references to other tables.
  package var keys: [StoryTable: Set<String>]
  /// With the tables that they refer to.
  package var references: [StoryTable: [(column: String, parent: String)]]
  /// By schema name in lower case.
  package var attached: [Attached]
  /// Foreign keys were switched on there.
  package var checkedConnections: Set<Int>
}

extension StoryBuilder {
  package func toldSteps() -> ToldSteps {
    var columns: [StoryTable: [String]] = [:]
    let tellings = callStacks.mapValues { StackTelling(recorded.test, $0) }
    let told = transactions.groups.flatMap(\.steps).sorted().filter { $0 < untilFailure.upperBound }
      .map { step(at: $0, tellings, &columns) }
    let lost = recorded.overwritten.filter { overwritten in
      overwritten.last > baseline && overwritten.stack.flatMap { tellings[$0] }?.isSetUp != true
    }
    let counted = recorded.overwritten.reduce(0) { $0 + $1.steps }
    var checked: Set<Int> = []
    for (place, step) in steps.enumerated() {
      if case .other = texts[place].kind, step.sql.switchesForeignKeysOn { checked.insert(step.connection) }
    }
    return ToldSteps(
      steps: told, counted: countedSteps(tellings), databases: databases.list,
      isWhole: lost.isEmpty && (counted >= recorded.missing || recorded.missing < baseline),
      hasRows: recorded.withoutChanges == nil, columns: columns,
      keys: Dictionary(uniqueKeysWithValues: columns.keys.map { ($0, layouts.table($0)?.keyColumns ?? []) }),
      references: Dictionary(
        uniqueKeysWithValues: columns.keys.map { ($0, layouts.table($0)?.simpleReferences ?? []) }),
      attached: recorded.databases.map { opened in
        ToldSteps.Attached(
          connection: opened.connection, schema: opened.schema.lowercased(),
          database: databases[opened.connection, opened.schema, at: .max] ?? 0)
      },
      checkedConnections: checked)
  }

  private func countedSteps(_ tellings: [Int: StackTelling]) -> [ToldSteps.Step] {
    let texts = StatementText.all(of: recorded.overwritten.lazy.map(\.sql))
    return zip(recorded.overwritten, texts).filter { $0.steps == 1 && $1.isSetting }.map {
      overwritten, text in
      let step = RecordedStory.Step(number: overwritten.first)
      (step.sql, step.connection, step.stack) = (overwritten.sql, overwritten.connection, overwritten.stack)
      let telling = overwritten.stack.flatMap { tellings[$0] }
      return ToldSteps.Step(
        step, text, database: databases[overwritten.connection, "main", at: .max] ?? 0, changes: [],
        undone: [],
        stack: overwritten.stack.flatMap { callStacks[$0] }, functions: telling?.functions ?? "",
        line: telling?.line, isTestsOwn: telling?.isTestsOwn == true, isSetUp: true, transaction: nil,
        committedAt: nil, isUndone: false)
    }.sorted { $0.number < $1.number }
  }

  private struct StackTelling {
    var line: Int?
    var isSetUp = false
    var isTestsOwn = false
    var functions: String

    init(_ test: TestCaseID?, _ stack: CallStack) {
      let own = test.flatMap { stack.frames(of: $0) }
      isTestsOwn = own?.contains(stack.telling) == true
      functions = stack.frames.enumerated()
        .map { own?.contains($0.offset) == true ? "test" : $0.element.place.name.function }
        .joined(separator: " ")
      if test == nil { return }
      line = own.flatMap { stack.frames[$0.lowerBound].place.line }
      isSetUp = own == nil && stack.frames.contains(where: \.place.isSetUp)
    }
  }

  private func step(
    at place: Int, _ tellings: [Int: StackTelling], _ columns: inout [StoryTable: [String]]
  ) -> ToldSteps.Step {
    let step = steps[place]
    let isUndone = transactions.undone[place] != nil && !isUndoneLater(place)
    let stack = step.stack.flatMap { callStacks[$0] }
    var changes: [ToldSteps.Change] = []
    if !step.isWithheld {
      for change in step.changes {
        let told = layouts.told(change, in: database(of: change, at: place) ?? 0, reals: false)
        guard let change = told.change, !told.table.isOfLibrary else { continue }
        let count = max(change.old.count, change.new.count)
        if columns[told.table]?.count != count || layouts.isMade(told.table) {
          columns[told.table] = layouts.columns(of: told.table, count: count, at: place)
        }
        let names = columns[told.table] ?? []
        changes.append(ToldSteps.Change(table: told.table, told: change, columns: names, layouts))
      }
    }
    let group = transactions.transaction(ofStepAt: place)
    let telling = step.stack.flatMap { tellings[$0] }
    return ToldSteps.Step(
      step, texts[place], database: databaseOfStep[place], changes: isUndone ? [] : changes,
      undone: isUndone ? changes : [], stack: stack, functions: telling?.functions ?? "", line: telling?.line,
      isTestsOwn: telling?.isTestsOwn == true, isSetUp: step.number <= baseline || telling?.isSetUp == true,
      transaction: group,
      committedAt: group.flatMap {
        transactions.groups[$0].state == .committed ? transactions.groups[$0].end : nil
      }
      .flatMap { $0 <= failure ? $0 : nil },
      isUndone: isUndone, takenBackAt: isUndone ? takenBackAt(place) : nil)
  }

  private func takenBackAt(_ place: Int) -> Int? {
    if transactions.undone[place] == .rolledBack { return transactions.end(ofStepAt: place) }
    return transactions.takenBackAt[place]
  }
}

extension CapturedSchema.Table {
  /// Where the rows have all columns.
  fileprivate var simpleReferences: [(column: String, parent: String)] {
    guard stored.count == columns.count else { return [] }
    return foreignKeys.filter { $0.columns.count == 1 }.compactMap { key in
      columns[safe: key.columns[0]].map { ($0.name, key.table) }
    }
  }

  /// Of the primary key, and those that refer to other tables.
  package var keyColumns: Set<String> {
    Set(keyNames + referringColumns)
  }

  package var referringColumns: [String] {
    foreignKeys.flatMap { key in key.columns.compactMap { columns[safe: $0]?.name } }
  }
}

extension StatementText {
  /// True when it changes the schema, or how a connection works.
  fileprivate var isSetting: Bool {
    changesSchema || kind == .other && !isHousekeeping
  }
}

extension String {
  /// However it is written.
  fileprivate var switchesForeignKeysOn: Bool {
    let text = uppercased().filter { !$0.isWhitespace && $0 != ";" && $0 != "(" && $0 != ")" && $0 != "=" }
    return ["ON", "1", "TRUE", "YES"].contains { value in
      text == "PRAGMAFOREIGN_KEYS\(value)" || text == "PRAGMAMAIN.FOREIGN_KEYS\(value)"
    }
  }
}
