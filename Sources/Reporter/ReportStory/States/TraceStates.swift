import ReportInspection

/// The tables of one captured database as they were after any step of a story, and the steps that wrote their rows.
///
/// Told from the end: the changes that the captured database shows are taken back, newest first, and those that a
/// rollback took back later are made again. What cannot be told so has a `StateBound`. Nothing is read or worked out
/// before it is asked for; it belongs to one thread.
///
/// An unrecorded writer shows where it wrote a row that the story tells too; what it wrote elsewhere nobody can see.
final class TraceStates {
  let visibility: StepVisibility
  private let schema: CapturedSchema
  /// The captured file; `nil` where it is not there to be read.
  let file: CapturedRows?
  /// Why there is no state at all.
  let rowsNotTold: String?
  /// The number of the first step that is told.
  let firstStep: Int?
  private var running: Set<Int> = []
  private(set) var timelines: [String: TableTimeline] = [:]
  /// What ends the states of every table, in order.
  private var whole: [TableEvent] = []
  private var merged: [String: [TableEvent]] = [:]
  private var ends: [String: Int?] = [:]
  /// The first step behind all that the WAL has of others; 0 where it has nothing.
  private let afterOutside: Int

  /// - Parameters:
  ///   - builder: Of the story.
  ///   - database: Index in the story's databases.
  ///   - schema: What the captured file says.
  ///   - file: The captured file, which is looked at where rows are asked for and whether they are those that were
  ///     told; `nil` looks at nothing.
  init(_ builder: StoryBuilder, database: Int, schema: CapturedSchema, file: String?) {
    self.schema = schema
    self.file = file.map { CapturedRows($0, schema) }
    visibility = StepVisibility(builder, showsOpen: schema.isUncommitted)
    rowsNotTold = builder.recorded.withoutSteps ?? builder.recorded.withoutChanges
    firstStep = builder.steps.first?.number
    let outside = builder.fromWAL.outside.filter { $0.step.database == database }
    afterOutside = outside.map { $0.after + 1 }.max() ?? 0
    let events = DatabaseEvents(builder, database)
    for table in schema.tables { timelines[foldedName(table.key)] = TableTimeline(table.value) }
    for place in builder.steps.indices {
      let step = builder.steps[place]
      if step.isRunning { running.insert(step.number) }
      for bound in events.bounds(at: place) {
        whole.append(
          TableEvent(place: place, step: step.number, kind: .barrier(bound), isFixed: bound.isFixed))
      }
      let effect = events.effect(at: place)
      // What CREATE VIRTUAL TABLE writes is in the tables that it makes; what DROP deletes goes before.
      if let effect, effect.effect != .drop { add(effect, place: place, step: step.number) }
      for change in events.changes(at: place) {
        let name = foldedName(change.table)
        if step.error != nil, isBehindVirtual(name) {
          let end = builder.transactions.end(ofStepAt: place) ?? step.number
          timelines[name]?.addModuleWrite(place: place, failed: step.number, until: end)
        } else {
          timelines[name, default: TableTimeline(nil)].add(change, place: place, step: step.number)
        }
      }
      if let effect, effect.effect == .drop { add(effect, place: place, step: step.number) }
    }
  }

  private func add(_ statement: SchemaEffect.Statement, place: Int, step: Int) {
    guard let tables = statement.tables else {
      if statement.effect == .vacuum {
        for name in timelines.keys where !keepsRowids(name) {
          timelines[name]?.add(.vacuum, place: place, step: step, visibility)
        }
      } else {
        whole.append(TableEvent(place: place, step: step, kind: .barrier(.replaced(step: step))))
      }
      return
    }
    // The tables behind a virtual one come, go and are renamed with it.
    let behind = timelines.keys.filter { name in
      VirtualTables.possibleOwner(of: name).map(tables.contains) == true
    }
    for name in Set(tables + behind) {
      let own = tables.contains(name) ? name : VirtualTables.possibleOwner(of: name) ?? name
      let isRenamed = statement.effect == .alter && Set(tables).count == 2
      timelines[name, default: TableTimeline(nil)].add(
        isRenamed ? .rename(isNew: own == tables[1]) : statement.effect, place: place, step: step, visibility)
    }
  }

  private func keepsRowids(_ name: String) -> Bool {
    guard let table = timelines[name]?.table else { return true }
    return !table.hasRowid || table.isKeyRowid
  }

  // MARK: - Tables

  /// Whether the rows of a table have rowids, as far as that is known.
  func hasRowid(_ table: String) -> Bool { timelines[foldedName(table)]?.table?.hasRowid != false }

  func isVirtual(_ table: String) -> Bool { timelines[foldedName(table)]?.table?.isVirtual == true }

  /// Which columns make the primary key.
  func keyColumns(_ table: String) -> [Int] { timelines[foldedName(table)]?.table?.key ?? [] }

  /// Whether the rows have a rowid that no column shows.
  func showsKey(_ table: String) -> Bool {
    let table = timelines[foldedName(table)]?.table
    return table?.hasRowid == true && table?.isKeyRowid == false
  }

  /// The names of a table's columns; their numbers where no schema tells them.
  func columns(of table: String, count: Int?) -> [String] {
    timelines[foldedName(table)]?.table?.stored.map(\.name) ?? (0..<(count ?? 0)).map { "column \($0 + 1)" }
  }

  /// The names of the captured tables and of those that the story writes, in order.
  var tables: [String] {
    let known = Set(schema.tables.keys.map(foldedName))
    return (Array(schema.tables.keys) + timelines.keys.filter { !known.contains($0) }).sorted()
  }

  // MARK: - States

  /// What a table differed in from its captured end after a step; `after(step: 0)` is before all that is told.
  func state(of table: String, _ view: StateView) -> Result<TableState, StateBound> {
    let name = foldedName(table)
    if view == .captured { return .success(TableState()) }
    if let bound = bound(of: name, view) { return .failure(bound) }
    let events = events(of: name)
    let isCaptured = isCaptured(name)
    guard isCaptured || events.contains(where: \.tellsExistence) else { return .failure(.notCaptured) }
    var made = events.filter { !isShown($0) && isVisible($0, to: view) }[...]
    var state = isCaptured ? TableState() : .absent
    do {
      if let fresh = made.lastIndex(where: \.isFresh) {
        made = made[fresh...]
      } else if let bound = try undo(events.filter { isShown($0) && !isVisible($0, to: view) }, &state) {
        return .failure(bound)
      }
      for event in made {
        switch event.kind {
        case .barrier(let bound): return .failure(bound)
        case .made(let bound?): return .failure(bound)
        default: try state.redo(event.kind)
        }
      }
    } catch {
      return .failure(.unseen(after: made.first?.step ?? .max))
    }
    return .success(state)
  }

  /// - Parameter events: Of which nothing was visible yet, in order.
  /// - Returns: What is in the way.
  private func undo(
    _ events: [TableEvent], _ state: inout TableState
  ) throws(TableState.Contradiction) -> StateBound? {
    var events = events[...]
    if let made = events.firstIndex(where: \.isMade) {
      // Whatever happened to it later, before that it was not there.
      (state, events) = (.absent, events[..<made])
    }
    for event in events.reversed() {
      switch event.kind {
      case .barrier(let bound): return bound
      case .dropped(let bound): return bound
      default: try state.undo(event.kind)
      }
    }
    return nil
  }

  private func isShown(_ event: TableEvent) -> Bool { isVisible(event, to: .captured) }

  func isVisible(_ event: TableEvent, to view: StateView) -> Bool {
    guard event.isFixed, case .after(let step) = view else {
      return event.isFixed || visibility.isVisible(event.place, to: view)
    }
    return event.step <= step
  }

  /// What is to say before anything is undone.
  private func bound(of name: String, _ view: StateView) -> StateBound? {
    if let rowsNotTold { return .rowsNotTold(rowsNotTold) }
    if let bound = boundOfTable(name) { return bound }
    guard case .after(let step) = view else { return nil }
    if let bound = boundOfStep(step) { return bound }
    if step > 0, let firstStep, step < firstStep { return .missing(firstStep: firstStep) }
    guard step == 0 || visibility.hasStep(step) else { return .noSuchStep(step) }
    return unseenBefore(name).flatMap { step < $0 ? .unseen(after: $0) : nil }
  }

  /// Why no state of a table is told, whatever the step.
  func boundOfTable(_ name: String) -> StateBound? {
    if isVirtual(name) { return .isVirtual }
    return name.isOfSQLite ? .isOfSQLite : nil
  }

  /// Why there is no state after a step, whatever the table.
  func boundOfStep(_ step: Int) -> StateBound? {
    running.contains(step) ? .running(step: step) : nil
  }

  /// The step before which no state of a table is told, as somebody unseen wrote.
  func unseenBefore(_ table: String) -> Int? {
    let name = foldedName(table)
    // Who wrote one table may have written any.
    return [unseen(in: name), lastUnseen].compactMap { $0 }.max()
  }

  // MARK: - One row

  /// The steps that wrote a row, newest first.
  ///
  /// - Parameter key: As the row has it in the view.
  func past(of key: StoryRowKey, in table: String, _ view: StateView = .captured) -> RowPast {
    let name = foldedName(table)
    if let bound = bound(of: name, view == .captured ? .after(step: .max) : view), !bound.isOfStep {
      return RowPast(origin: .bound(bound))
    }
    let isCaptured = isCaptured(name)
    let events = events(of: name)
    guard isCaptured || events.contains(where: \.tellsExistence) else {
      return RowPast(origin: .bound(.notCaptured))
    }
    let unseen = unseenBefore(name)
    return RowPastSearch.past(
      of: key, events.filter { isVisible($0, to: view) }, unseenBefore: unseen, firstStep: firstStep ?? 0
    ) { isCaptured && file?.has(key, in: name) ?? true }
  }

  // MARK: - What happened

  /// The events of a table, with those of all its database, in order.
  func events(of name: String) -> [TableEvent] {
    if let known = merged[name] { return known }
    let own = timelines[name]?.events ?? []
    var (all, next): ([TableEvent], Int) = ([], 0)
    for event in own {
      while next < whole.count, whole[next].place <= event.place {
        all.append(whole[next])
        next += 1
      }
      all.append(event)
    }
    all += whole[next...]
    merged[name] = all
    return all
  }

  // MARK: - Unseen writers

  /// The last of those of all tables; what a module keeps behind a virtual table it may write without being told.
  private lazy var lastUnseen: Int? = {
    (timelines.keys.filter { !isBehindVirtual($0) }.compactMap { unseen(in: $0) } + [afterOutside]).max()
  }()

  func isBehindVirtual(_ name: String) -> Bool {
    guard let owner = VirtualTables.possibleOwner(of: name) else { return false }
    return schema.declared[owner]?.isVirtual == true
  }

  /// The step from which on nobody unseen is known to have written to the table, if somebody did before; `max` where
  /// the captured rows themselves are others.
  private func unseen(in name: String) -> Int? {
    if let known = ends[name] { return known }
    let left = RowChain(events(of: name).filter(isShown))
    var found = left.broken
    if timelines[name]?.table?.isVirtual == false, file?.contradicts(left.rows, in: name) == true {
      found = .max
    }
    ends[name] = .some(found)
    return found
  }
}

extension TableEvent {
  /// Whether it says that its table is or is not there.
  fileprivate var tellsExistence: Bool { if case .barrier = kind { false } else { true } }

  fileprivate var isMade: Bool { if case .made = kind { true } else { false } }

  /// Whether nothing that was before it matters for what is behind it.
  fileprivate var isFresh: Bool {
    switch kind {
    case .made(nil), .dropped: true
    case .row, .made, .barrier: false
    }
  }
}
