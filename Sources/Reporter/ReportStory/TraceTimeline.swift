import Collector
import ReportInspection
import ReportModel

extension StoryBuilder {
  /// - Parameter folder: In which the captured files are.
  package func timelines(of schemas: [CapturedSchema], in folder: String) -> [StateTimeline] {
    schemas.compactMap { schema in
      guard let database = database(of: schema) else { return nil }
      var timeline = StateTimeline(
        self, database: database, schema: schema, file: folder + "/" + schema.evidence)
      timeline.steps = timeline.bound == nil ? chosenSteps(timeline, database) : []
      return timeline
    }
  }

  private static let shownStatement = 160

  private func chosenSteps(_ timeline: StateTimeline, _ database: Int) -> [StateTimeline.Step] {
    let writing = Set(timeline.tables.flatMap { $0.events.map(\.place) })
    return steps.indices.filter { writing.contains($0) || databaseOfStep[$0] == database }.map { place in
      let step = steps[place]
      let text = visibleOnOneLine(shortened(step.expanded ?? step.sql, to: Self.shownStatement))
      return StateTimeline.Step(
        place: place, text: text, bound: timeline.boundOfStep(step.number), isWrite: writing.contains(place))
    }
  }
}

extension StateTimeline {
  /// - Parameter file: `nil` looks at nothing.
  init(_ builder: StoryBuilder, database: Int, schema: CapturedSchema, file: String?) {
    let outside = builder.fromWAL.outside.filter { $0.step.database == database }
    var visibility = builder.visibility
    visibility.showsOpen = schema.isUncommitted
    let events = TraceEvents(builder, database, schema, visibility)
    self.init(
      of: schema, visibility,
      bound: (builder.recorded.withoutSteps ?? builder.recorded.withoutChanges).map(StateBound.rowsNotTold),
      firstStep: builder.steps.first?.number, events.tables, whole: events.whole,
      running: builder.running,
      afterOutside: outside.map { $0.after + 1 }.max() ?? 0, file: file)
  }
}

extension StepVisibility {
  init(_ builder: StoryBuilder) {
    let transactions = builder.transactions
    var (spans, connections): ([Span], [Int: Int]) = ([], [:])
    for (place, step) in builder.steps.enumerated() {
      connections[step.number] = step.connection
      var span = Span(connection: step.connection, born: step.number, committed: .max, taken: .max)
      if step.fails {
        span.taken = step.number
      } else if let group = transactions.groupOfStep[place].map({ transactions.groups[$0] }) {
        switch (transactions.undone[place], group.state) {
        case (.failed, _): span.taken = step.number
        case (.rolledBackTo, _): span.taken = transactions.takenBackAt[place] ?? step.number
        case (.rolledBack, _): span.taken = group.end
        case (nil, .single): span.committed = step.isRunning ? .max : step.number
        case (nil, .committed): span.committed = group.end
        case (nil, .open): span.committed = group.lostAt ?? .max
        // Transactions that only a WAL tells have no steps.
        case (nil, .rolledBack), (nil, .inWAL), (nil, .unexplained): break
        }
      }
      spans.append(span)
    }
    self.init(spans: spans, captured: builder.failure, connections: connections)
  }
}

private struct TraceEvents {
  private(set) var tables: [String: TableTimeline] = [:]
  /// Those that end the states of every table.
  private(set) var whole: [TableEvent] = []
  private let builder: StoryBuilder
  private let database: Int
  private let visibility: StepVisibility
  private var connections: Set<Int> = []
  /// Places of steps whose transactions are older than the first step.
  private var begunBefore: Set<Int> = []
  /// Steps behind which the end of a transaction is not told.
  private var lost: Set<Int> = []

  init(_ builder: StoryBuilder, _ database: Int, _ schema: CapturedSchema, _ visibility: StepVisibility) {
    (self.builder, self.database, self.visibility) = (builder, database, visibility)
    for opened in builder.recorded.databases
    where builder.databases[opened.connection, opened.schema, at: opened.after + 1] == database {
      connections.insert(opened.connection)
    }
    for connection in builder.connections
    where builder.databases.main(of: connection) == database {
      connections.insert(connection)
    }
    for group in builder.transactions.groups {
      if group.beganBefore, let first = group.steps.first { begunBefore.insert(first) }
      if let step = group.lostAt { lost.insert(step) }
    }
    for (name, table) in schema.tables { tables[foldedName(name)] = TableTimeline(name, table) }
    for place in builder.steps.indices {
      let step = builder.steps[place]
      whole += bounds(at: place).map {
        TableEvent(place: place, step: step.number, kind: .barrier($0), isFixed: $0.isFixed)
      }
      let effect = effect(at: place)
      // CREATE VIRTUAL TABLE writes into tables that it makes; DROP deletes before.
      if let effect, effect.effect != .drop { add(effect, place: place, step: step.number) }
      for change in builder.changes(at: place, in: database) where !change.table.isOfSQLite {
        let name = foldedName(change.table)
        if step.error != nil, let owner = VirtualTables.possibleOwner(of: name),
          schema.declared[owner]?.isVirtual == true
        {
          let end = builder.transactions.end(ofStepAt: place) ?? step.number
          tables[name]?.addModuleWrite(place: place, failed: step.number, until: end)
        } else {
          tables[name, default: TableTimeline(name, nil)].add(change, place: place, step: step.number)
        }
      }
      if let effect, effect.effect == .drop { add(effect, place: place, step: step.number) }
    }
  }

  private mutating func add(_ statement: SchemaEffect.Statement, place: Int, step: Int) {
    guard let names = statement.tables else {
      if statement.effect == .vacuum {
        // Rowids change where no column is theirs.
        for (name, table) in tables where table.showsKey {
          tables[name]?.add(.vacuum, place: place, step: step, visibility)
        }
      } else {
        whole.append(TableEvent(place: place, step: step, kind: .barrier(.replaced(step: step))))
      }
      return
    }
    // They come, go and are renamed with the virtual one.
    let behind = tables.keys.filter { name in
      VirtualTables.possibleOwner(of: name).map(names.contains) == true
    }
    for name in Set(names + behind) {
      let own = names.contains(name) ? name : VirtualTables.possibleOwner(of: name) ?? name
      let isRenamed = statement.effect == .alter && Set(names).count == 2
      tables[name, default: TableTimeline(name, nil)].add(
        isRenamed ? .rename(isNew: own == names[1]) : statement.effect, place: place, step: step, visibility)
    }
  }

  private func isMeant(_ schema: String, by step: RecordedStory.Step) -> Bool {
    builder.databases[step.connection, schema, at: step.number] == database
  }

  private func bounds(at place: Int) -> [StateBound] {
    let step = builder.steps[place]
    guard connections.contains(step.connection) else { return [] }
    var bounds: [StateBound] = []
    if begunBefore.contains(place) { bounds.append(.begunBefore(step: step.number)) }
    if lost.contains(step.number) { bounds.append(.endNotTold(step: step.number)) }
    if step.unkept > 0 { bounds.append(.unkept(step: step.number)) }
    if step.lacksRows, let reason = step.untold { bounds.append(.untold(step: step.number, reason)) }
    if step.isWithheld, step.changed ?? 0 > 0, step.changes.isEmpty {
      bounds.append(.withheld(step: step.number))
    }
    let isSchema = builder.changes(at: place, in: database).contains {
      $0.table == "sqlite_master" || $0.table == "sqlite_schema"
    }
    if isSchema { bounds.append(.schemaWritten(step: step.number)) }
    return bounds
  }

  private func effect(at place: Int) -> SchemaEffect.Statement? {
    let step = builder.steps[place]
    guard step.error == nil, let statement = builder.effects[place], !statement.isTemporary,
      connections.contains(step.connection)
    else { return nil }
    if let schema = statement.schema { return isMeant(schema, by: step) ? statement : nil }
    switch statement.effect {
    case .create, .vacuum, .replace: return isMeant("main", by: step) ? statement : nil
    // Nobody tells which database has that table.
    case .drop, .alter, .rename: return statement
    }
  }
}
