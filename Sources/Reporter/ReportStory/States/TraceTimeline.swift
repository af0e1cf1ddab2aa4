import Collector
import ReportInspection
import ReportModel

extension StoryBuilder {
  /// The timelines of captured databases, as far as the changes of their steps are told.
  ///
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

  /// Scalars of a statement that a reader sees when he chooses a step.
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
  /// The states that a trace tells.
  ///
  /// - Parameters:
  ///   - builder: Of the story.
  ///   - database: Index in the story's databases.
  ///   - schema: What the captured file says.
  ///   - file: The captured file; `nil` looks at nothing.
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

/// What the steps of a story do to the tables of one of its databases.
private struct TraceEvents {
  /// By folded name.
  private(set) var tables: [String: TableTimeline] = [:]
  /// What ends the states of every table, in order.
  private(set) var whole: [TableEvent] = []
  private let visibility: StepVisibility

  init(_ builder: StoryBuilder, _ database: Int, _ schema: CapturedSchema, _ visibility: StepVisibility) {
    self.visibility = visibility
    let events = DatabaseEvents(builder, database)
    for (name, table) in schema.tables { tables[foldedName(name)] = TableTimeline(name, table) }
    for place in builder.steps.indices {
      let step = builder.steps[place]
      for bound in events.bounds(at: place) {
        whole.append(
          TableEvent(place: place, step: step.number, kind: .barrier(bound), isFixed: bound.isFixed))
      }
      let effect = events.effect(at: place)
      // What CREATE VIRTUAL TABLE writes is in the tables that it makes; what DROP deletes goes before.
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
        // It gives rows other rowids where no column is theirs.
        for (name, table) in tables where table.showsKey {
          tables[name]?.add(.vacuum, place: place, step: step, visibility)
        }
      } else {
        whole.append(TableEvent(place: place, step: step, kind: .barrier(.replaced(step: step))))
      }
      return
    }
    // The tables behind a virtual one come, go and are renamed with it.
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
}
