import Collector
import ReportInspection
import ReportModel

/// What a page needs to tell the tables of one captured database as they were after any step of its test.
///
/// The page works the states out by itself, from the rows that it has and as `TraceStates` does: a state for each step
/// would take the room of all rows each time.
package struct StateTimeline: Sendable, Equatable {
  /// One step of the test in this database, or one whose changes are told with it.
  package struct Step: Sendable, Equatable {
    package var number: Int
    /// The beginning of the statement; `nil` of a step that a page does not let anybody choose: it ran inside of another.
    package var text: String?
    package var connection: Int
    /// From when to when what it changed is seen, and by whom.
    package var span: StepVisibility.Span
    /// Why there is no state after it, as a sentence.
    package var bound: String?
    /// Whether it changed something that is told.
    package var isWrite: Bool
  }

  package struct Event: Sendable, Equatable {
    /// Index in `steps`.
    package var step: Int
    /// The number of the step from which on it stands, whatever became of that; `nil` where it has none.
    package var fixed: Int?
    package var kind: TableEvent.Kind
  }

  package struct Table: Sendable, Equatable {
    package var name: String
    /// The columns that hold values, in the order of the values of events.
    package var columns: [String]
    /// Whether its rows are told by rowids, or by their primary key.
    package var hasRowid: Bool
    package var isCaptured: Bool
    /// Why no state of it is told at all.
    package var bound: String?
    /// The step before which nothing is told, as somebody unseen wrote; `max` where nothing is.
    package var unseenBefore: Int?
    package var events: [Event]
  }

  /// The captured file, by its path in the report's folder.
  package var evidence: String
  /// The last step before the failure.
  package var captured: Int
  package var showsOpen: Bool
  /// Why there are no states, as a sentence.
  package var bound: String?
  package var firstStep: Int?
  package var steps: [Step] = []
  package var tables: [Table] = []
}

extension StoryBuilder {
  /// The timelines of captured databases, as far as the changes of their steps are told.
  ///
  /// - Parameter folder: In which the captured files are.
  package func timelines(of schemas: [CapturedSchema], in folder: String) -> [StateTimeline] {
    schemas.compactMap { schema in
      guard let database = database(of: schema) else { return nil }
      let states = TraceStates(self, database: database, schema: schema, file: folder + "/" + schema.evidence)
      return timeline(of: schema, database, states)
    }
  }

  /// Scalars of a statement that a reader sees when he chooses a step.
  private static let shownStatement = 160

  private func timeline(of schema: CapturedSchema, _ database: Int, _ states: TraceStates) -> StateTimeline {
    var timeline = StateTimeline(
      evidence: schema.evidence, captured: failure, showsOpen: schema.isUncommitted,
      bound: states.rowsNotTold
        .map { StateBound.rowsNotTold($0).sentence }, firstStep: states.firstStep)
    guard timeline.bound == nil else { return timeline }
    let tables = states.tables.map { ($0, states.events(of: foldedName($0))) }
    let writing = Set(tables.flatMap { $0.1.map(\.place) })
    let places = steps.indices.filter { writing.contains($0) || databaseOfStep[$0] == database }
    let index = Dictionary(uniqueKeysWithValues: places.enumerated().map { ($1, $0) })
    timeline.steps = places.map { place in
      let step = steps[place]
      return StateTimeline.Step(
        number: step.number, text: glance(step.expanded ?? step.sql),
        connection: step.connection, span: states.visibility.spans[place],
        bound: states.boundOfStep(step.number)?.sentence,
        isWrite: writing.contains(place))
    }
    timeline.tables = tables.map { name, events in
      StateTimeline.Table(
        name: name, columns: states.columns(of: name, count: Self.width(of: events)),
        hasRowid: states.hasRowid(name), isCaptured: states.isCaptured(name),
        bound: states.boundOfTable(name)?.sentence, unseenBefore: states.unseenBefore(name),
        events: events.compactMap { event in
          index[event.place].map {
            StateTimeline.Event(step: $0, fixed: event.isFixed ? event.step : nil, kind: event.kind)
          }
        })
    }
    return timeline
  }

  private func glance(_ statement: String) -> String {
    visibleOnOneLine(shortened(statement, to: Self.shownStatement))
  }

  /// How many values the rows of a table have.
  private static func width(of events: [TableEvent]) -> Int? {
    for event in events {
      if case .row(let change) = event.kind { return max(change.old.count, change.new.count) }
    }
    return nil
  }
}

extension TraceStates {
  func isCaptured(_ table: String) -> Bool { timelines[foldedName(table)]?.table != nil }
}
