import ReportInspection

/// The tables of one captured database as they were after any step.
///
/// A state is told from the end: changes that the captured file shows are taken back, newest first, and those that
/// were rolled back later are made again. Pages do the same with what `StatesFile.swift` writes.
///
/// An unrecorded writer is seen only where it wrote a row that a step wrote too.
package struct StateTimeline {
  /// A step that a reader of a page can choose.
  package struct Step: Sendable, Equatable {
    package var place: Int
    package var text: String
    package var bound: StateBound?
    /// True when it changed something that is told.
    package var isWrite: Bool
  }

  package var evidence: String
  package var visibility: StepVisibility
  package var bound: StateBound?
  package var firstStep: Int?
  package var steps: [Step] = []
  /// The captured tables, and those that steps write.
  package private(set) var tables: [TableTimeline] = []
  private var places: [String: Int] = [:]
  private let whole: [TableEvent]
  private let running: Set<Int>
  private var lastUnseen: Int?
  private let schema: CapturedSchema
  let file: CapturedRows?

  /// - Parameters:
  ///   - own: By folded name, the events of each table.
  ///   - whole: The events of all of the database.
  ///   - afterOutside: The first step behind all known unseen writers; 0 without any.
  ///   - file: `nil` looks at nothing.
  init(
    of schema: CapturedSchema, _ visibility: StepVisibility, bound: StateBound?, firstStep: Int?,
    _ own: [String: TableTimeline], whole: [TableEvent], running: Set<Int>, afterOutside: Int, file: String?
  ) {
    evidence = schema.evidence
    (self.visibility, self.bound, self.firstStep, self.whole) = (visibility, bound, firstStep, whole)
    (self.running, self.schema, self.file) = (running, schema, file.map { CapturedRows($0, schema) })
    tables = own.values.map { $0.merged(with: whole) }.sorted { $0.name < $1.name }
    for index in tables.indices { places[foldedName(tables[index].name)] = index }
    guard bound == nil else { return }
    let unseen = tables.map(unseen)
    // A writer of one table may have written any; a module writes untold.
    let known = zip(tables, unseen).filter { !isBehindVirtual($0.0.name) }.compactMap(\.1)
    lastUnseen = (known + [afterOutside]).max()
    for index in tables.indices {
      tables[index].unseenBefore = [unseen[index], lastUnseen].compactMap { $0 }.max()
    }
  }

  subscript(name: String) -> TableTimeline {
    if let index = places[foldedName(name)] { return tables[index] }
    var table = TableTimeline(name, nil).merged(with: whole)
    table.unseenBefore = lastUnseen
    return table
  }

  func isBehindVirtual(_ name: String) -> Bool {
    guard let owner = VirtualTables.possibleOwner(of: foldedName(name)) else { return false }
    return schema.declared[owner]?.isVirtual == true
  }

  // MARK: - States

  /// What differs from the captured end; `after(step: 0)` is before all steps.
  func state(of name: String, _ view: StateView) -> Result<TableState, StateBound> {
    if view == .captured { return .success(TableState()) }
    let table = self[name]
    if let bound = bound(of: table, view) { return .failure(bound) }
    guard table.isKnown else { return .failure(.notCaptured) }
    var made = table.events.filter { !isShown($0) && isVisible($0, to: view) }[...]
    var state = table.isCaptured ? TableState() : .absent
    do {
      if let fresh = made.lastIndex(where: \.isFresh) {
        made = made[fresh...]
      } else if let bound = try state.undo(table.events.filter { isShown($0) && !isVisible($0, to: view) }) {
        return .failure(bound)
      }
      if let bound = try state.redo(made) { return .failure(bound) }
    } catch {
      return .failure(.unseen(after: made.first?.step ?? .max))
    }
    return .success(state)
  }

  private func isShown(_ event: TableEvent) -> Bool { isVisible(event, to: .captured) }

  func isVisible(_ event: TableEvent, to view: StateView) -> Bool {
    guard event.isFixed, case .after(let step) = view else {
      return event.isFixed || visibility.isVisible(event.place, to: view)
    }
    return event.step <= step
  }

  /// As far as it is known before undoing.
  private func bound(of table: TableTimeline, _ view: StateView) -> StateBound? {
    if let bound = bound ?? table.bound { return bound }
    guard case .after(let step) = view else { return nil }
    if let bound = boundOfStep(step) { return bound }
    if step > 0, let firstStep, step < firstStep { return .missing(firstStep: firstStep) }
    guard step == 0 || visibility.hasStep(step) else { return .noSuchStep(step) }
    return table.unseenBefore.flatMap { step < $0 ? .unseen(after: $0) : nil }
  }

  /// Whatever the table.
  func boundOfStep(_ step: Int) -> StateBound? {
    running.contains(step) ? .running(step: step) : nil
  }

  /// The step from which on nobody unseen wrote to the table; `max` where the captured rows are others; `nil` where
  /// nobody did.
  private func unseen(in table: TableTimeline) -> Int? {
    let left = RowChain(table.events, where: isShown)
    let isOther =
      table.layout?.isVirtual == false && file?.contradicts(left.rows, in: foldedName(table.name)) == true
    return isOther ? .max : left.broken
  }

  // MARK: - One row

  /// - Parameter key: As the row has it in the view.
  func past(of key: RowKey, in name: String, _ view: StateView = .captured) -> RowPast {
    let table = self[name]
    if let bound = bound(of: table, view == .captured ? .after(step: .max) : view), !bound.isOfStep {
      return RowPast(origin: .bound(bound))
    }
    guard table.isKnown else { return RowPast(origin: .bound(.notCaptured)) }
    return RowPastSearch.past(
      of: key, table.events.filter { isVisible($0, to: view) }, unseenBefore: table.unseenBefore,
      firstStep: firstStep ?? 0
    ) { table.isCaptured && file?.has(key, in: foldedName(name)) ?? true }
  }
}
