import Collector
import ExhibitSQLite
import ReportCauses
import ReportModel
import ReportPlaces
import ReportStory

/// The first difference that reaches the failure.
struct FirstDifference {
  var index: Int
  /// True when the failing read or statement changed and depends on this difference.
  var isSure: Bool

  init?(in stories: ComparedStories, _ reads: FailingReads) {
    let entries = stories.entries
    let different = entries.indices.filter { !entries[$0].isAlike }
    guard let end = Self.end(of: entries, among: different, reads) else { return nil }
    let known = stories.tableNames.union(reads.allTables)
    let tables = Self.tables(
      behind: entries[end.index].tables.union(reads.tables).intersection(known), known, stories)
    // A missing read changes nothing, and other results come from earlier writes.
    let told = different.filter { $0 <= end.index && stories.matters(entries[$0]) }
    let effects = DifferenceEffects(entries, until: end.index)
    let reaching = told.filter { entries[$0].touches(tables) }
    let leading = Self.leading(reaching, entries, effects) ?? reaching.first
    let first = leading.map { index in
      Self.transaction(around: index, among: different, entries)
        ?? Self.read(before: index, among: different, stories)
    }
    guard let index = first ?? told.first ?? different.first(where: { $0 <= end.index }) else {
      return nil
    }
    self.index = index
    // It is a guess that a read supplied a write's value, that two kinds of statement correspond, or, without stacks,
    // that a repeated statement is missing here.
    let entry = entries[index]
    let isGuess =
      first != leading && entry.step?.isRead == true || entry.isOfAnotherKind
      || entry.isAlone && !stories.knowsFunctions && stories.isRepeated(entry.step)
    isSure = end.isFailing && first == index && !isGuess
  }

  /// The first difference with an effect; for a mere change of order, the first step affected by it.
  ///
  /// Such a step wrote other values, read across another's write, or took arbitrary rows.
  private static func leading(
    _ reaching: [Int], _ entries: [ComparedStories.Entry], _ effects: DifferenceEffects
  ) -> Int? {
    let candidates = reaching.compactMap { index in effects.first(of: index).map { (at: $0, index: index) } }
      .sorted { $0 < $1 }.map(\.index)
    guard let first = candidates.first, entries[first].isMoved, !entries[first].changedCrossedRows else {
      return candidates.first
    }
    return candidates.first { index in
      guard case .different = entries[index].kind, let step = entries[index].failed, step.isRead else {
        return !entries[index].isMoved
      }
      return entries[index].crossed != nil || step.takesAnyRow
    } ?? first
  }

  /// A transaction boundary just before a read with other results.
  private static func transaction(
    around index: Int, among different: [Int], _ entries: [ComparedStories.Entry]
  ) -> Int? {
    guard entries[index].difference?.kinds == [.rowsRead],
      let place = different.firstIndex(of: index), place > 0
    else { return nil }
    let before = different[place - 1]
    return entries[before].step?.text.controlsTransaction == true && entries[before].isAlone ? before : nil
  }

  /// A read in only one run whose rows appear in the difference.
  private static func read(before index: Int, among different: [Int], _ stories: ComparedStories) -> Int {
    func alone(_ index: Int) -> ToldSteps.Step? {
      let entry = stories.entries[index]
      return entry.isAlone ? entry.step : nil
    }
    if let values = stories.entries[index].difference?.written {
      return different.last { place in
        guard place < index, let read = alone(place), read.isRead else { return false }
        let isNow = stories.entries[place].failed != nil
        let write = isNow ? stories.entries[index].failed : stories.entries[index].passed
        let isJustBefore = write.map { $0.number == read.number + 1 } ?? false
        return values.contains { pair in
          let value = isNow ? pair.failed : pair.passed
          return (value.isTelling(number: 1000, bytes: 6) || isJustBefore && value != .null)
            && read.recorded.results.contains { $0.contains(value) }
        }
      } ?? index
    }
    guard let write = alone(index), let place = different.firstIndex(of: index), place > 0 else {
      return index
    }
    let before = different[place - 1]
    let (entry, isNow) = (stories.entries[before], stories.entries[index].failed != nil)
    let asked = entry.isOtherQuestion ? (isNow ? entry.failed : entry.passed) : alone(before)
    guard let read = asked, read.isRead, read.recorded.rows ?? 0 > 0, read.line == write.line,
      read.recorded.connection == write.recorded.connection, read.mayLead(to: write)
    else { return index }
    return before
  }

  /// The failing read or statement if different, else the last with another result.
  private static func end(
    of entries: [ComparedStories.Entry], among different: [Int], _ reads: FailingReads
  ) -> (index: Int, isFailing: Bool)? {
    if let index = different.last(where: {
      // A rewritten statement returned the same.
      entries[$0].difference?.kinds != [.text]
        && entries[$0].failed.map { reads.steps.contains($0.number) } ?? false
    }) {
      return (index, entries[index].isOtherResult && reads.isKnown)
    }
    if let last = entries.lastIndex(where: { $0.failed != nil }), !entries[last].isAlike,
      entries[last].failed?.recorded.error != nil, entries[last].endsOtherwise
    {
      return (last, true)
    }
    guard let index = different.last(where: { entries[$0].isOtherResult }) else { return nil }
    return (index, false)
  }

  /// The tables that the given ones were written from, by statements, triggers or program.
  private static func tables(
    behind tables: Set<String>, _ known: Set<String>, _ stories: ComparedStories
  ) -> Set<String> {
    var sources: [String: Set<String>] = [:]
    for step in stories.failed.steps + stories.passed.steps where step.text.isWrite {
      let names = step.touched.intersection(known)
      for change in step.changes { sources[change.table.name.lowercased(), default: []].formUnion(names) }
      if let target = step.text.target { sources[target.lowercased(), default: []].formUnion(names) }
    }
    for story in [stories.failed, stories.passed] {
      sources.merge(story.sourcesOfGiven(known)) { $0.union($1) }
    }
    var (reached, edge) = (tables, tables)
    while !edge.isEmpty {
      edge = edge.reduce(into: Set()) { $0.formUnion(sources[$1] ?? []) }.subtracting(reached)
      reached.formUnion(edge)
    }
    return [stories.failed, stories.passed].reduce(into: reached) {
      $0.formUnion($1.tables(behind: reached, among: known))
    }
  }
}

extension ComparedStories.Entry {
  var tables: Set<String> {
    (failed?.touched ?? []).union(passed?.touched ?? [])
  }

  /// True when it uses these tables, or may change any (settings, rollbacks).
  fileprivate func touches(_ tables: Set<String>) -> Bool {
    switch step?.text.kind {
    case .other, .rollback, .rollbackTo: true
    default: !self.tables.isDisjoint(with: tables)
    }
  }

  /// True for different kinds of statement, such as INSERT and UPDATE.
  fileprivate var isOfAnotherKind: Bool {
    guard difference?.kinds.contains(.text) == true, let failed, let passed else { return false }
    return SQLToken.all(in: failed.sql).first?.folded != SQLToken.all(in: passed.sql).first?.folded
  }

  /// True when it and a step it moved across changed the same row, so that the later one counts.
  fileprivate var changedCrossedRows: Bool {
    guard let rows = failed?.changedRows, let crossed else { return false }
    return !rows.isDisjoint(with: crossed.changedRows)
  }

  fileprivate var endsOtherwise: Bool { passed == nil || difference?.kinds.contains(.error) == true }

  /// True for a read with another result only, caused by earlier differences.
  var isConsequence: Bool { difference?.kinds == [.rowsRead] && crossed == nil }

  fileprivate var isOtherQuestion: Bool {
    step?.isRead == true && difference?.kinds.isSuperset(of: [.text, .rowsRead]) == true
  }

  fileprivate var isOtherResult: Bool {
    difference.map { !$0.kinds.isDisjoint(with: [.rowsRead, .error]) } ?? false
  }
}

extension ComparedStories {
  /// True when another step runs the same statement with any values.
  fileprivate func isRepeated(_ step: ToldSteps.Step?) -> Bool {
    guard let step else { return false }
    let statement = step.bareStatement.lowercased()
    return (failed.steps + passed.steps).contains {
      $0 !== step && $0.text.target == step.text.target && $0.bareStatement.lowercased() == statement
    }
  }

  /// True when a difference can be a cause.
  ///
  /// Reads in one run only are not, unless of a file that only it read; nor writes without effect, nor harmless
  /// connection settings.
  fileprivate func matters(_ entry: Entry) -> Bool {
    switch entry.kind {
    case .alike: false
    case .different(let difference): difference.kinds != [.database] || entry.failed?.text.kind != .other
    case .moved: true
    case .added: matters(entry.failed, loneDatabases.failed, writers.failed)
    case .missing: matters(entry.passed, loneDatabases.passed, writers.passed)
    }
  }

  private func matters(_ step: ToldSteps.Step?, _ lone: Set<Int>, _ writers: Set<Int>) -> Bool {
    guard let step else { return false }
    let isLone = lone.contains(step.database)
    if step.isRead { return isLone && step.text.readsTable }
    if step.changedNothing { return false }
    return step.text.kind != .other || writers.contains(step.recorded.connection)
  }
}

extension ToldSteps {
  /// Limits of reads before a write, and of writes per table.
  private static let (mostReads, mostWrites) = (20, 400)

  /// For each table, those whose rows were parameters of its writes.
  ///
  /// An UPDATE that adds a read value leaves no trace of it in the row.
  fileprivate func sourcesOfGiven(_ known: Set<String>) -> [String: Set<String>] {
    var (sources, counts): ([String: Set<String>], [String: Int]) = ([:], [:])
    var reads: [(step: Step, rows: [Set<DatabaseValue>])] = []
    for step in steps where !step.recorded.isWithheld {
      if step.isRead, step.text.readsTable, !step.recorded.results.isEmpty {
        let rows = step.recorded.results.map { Set($0.compactMap(\.self)) }
        reads = reads.suffix(Self.mostReads - 1) + [(step, rows)]
      }
      guard step.text.isWrite, let target = step.text.target?.lowercased(),
        counts[target, default: 0] < Self.mostWrites
      else { continue }
      counts[target, default: 0] += 1
      let given = Set(step.literals.map(StepDifference.value)).subtracting([.null])
      for read in reads where read.rows.contains(where: { $0.intersection(given).count > 1 }) {
        sources[target, default: []].formUnion(read.step.touched.intersection(known))
      }
    }
    return sources
  }
}

extension ToldSteps.Step {
  fileprivate var changedRows: Set<[String]> {
    Set(
      written.lazy.filter { $0.told.operation == .update && $0.told.depth == 0 }.compactMap { change in
        change.told.key.map { [change.table.name, String($0)] }
      })
  }

  /// True when a write may depend on a read: by a common function or, without stacks, a common value.
  fileprivate func mayLead(to write: ToldSteps.Step) -> Bool {
    if let own = stack?.frames, let others = write.stack?.frames, !own.isEmpty, !others.isEmpty {
      let names = Set(own.map(\.place.name.function))
      return others.contains { names.contains($0.place.name.function) }
    }
    let read = Set(recorded.results.joined().compactMap(\.self)).subtracting([.null])
    let written = write.written.flatMap { $0.told.new.compactMap(\.self) }
    return !read.isDisjoint(with: written + write.literals.map(StepDifference.value))
  }

  fileprivate var changedNothing: Bool {
    text.isWrite && text.target != nil && recorded.error == nil && recorded.changed == 0 && written.isEmpty
  }

  /// True when it reads arbitrary rows: LIMIT without ORDER BY.
  fileprivate var takesAnyRow: Bool {
    !StepDifference.isOrdered(sql) && SQLToken.all(in: sql).contains { $0.folded == "LIMIT" }
  }

  var isRead: Bool { text.kind == .select && written.isEmpty && recorded.error == nil }
}
