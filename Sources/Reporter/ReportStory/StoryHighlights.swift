import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel

/// Chooses what a reader should see first: the last transactions that wrote, as far back as they are unlike those
/// before, a statement that failed, and the last read.
extension StoryBuilder {
  private static let mostWrites = 3
  private static let mostReads = 3
  private static let mostRows = 12
  /// So many alike transactions are taken for set-up.
  private static let setUpTimes = 3

  func addHighlights(to story: inout Story, _ places: [Int]) {
    let met = Set(
      story.valuePlaces.compactMap { found -> Int? in
        switch found.place {
        case .result(let step, _, _), .resultSum(let step, _): step
        case .change, .tableSum: nil
        }
      })
    // A value that code made may stand in no result, but in a row that was written.
    let made = met.isEmpty ? readBehindWrite(of: story, places) : nil
    story.isOriginCertain = made == nil
    story.originStep =
      made.map { steps[$0].number } ?? places.last { met.contains(steps[$0].number) }.map { steps[$0].number }
    let writes = highlightedWrites(places)
    var found = writes.map { highlight(.wrote, $0.places, $0.summary) }
    if let failed = failedStep(places) { found.append(highlight(.failed, [failed], summary([failed]))) }
    let start = found.map(\.first).min() ?? 0
    let (leading, last) = highlightedReads(places, origin: story.originStep, isMade: made != nil)
    story.leadingSteps = leading.map { steps[$0].number }
    if leading.count > 1 { story.readingLine = line(ofStep: story.leadingSteps[0]) }
    found += Set(leading + last).map { highlight(.read, [$0]) }.filter {
      $0.last > start || leading.count > 1 || $0.last == story.originStep || found.isEmpty
    }
    story.highlights = kept(found.sorted { ($0.last, $0.first) < ($1.last, $1.first) }, of: story)
    if story.changes.tables.allSatisfy({ $0.fate == .created || $0.table.isOfLibrary }) {
      story.lastChanges = written(writes.filter { !isUndone($0.places) }.flatMap(\.places).sorted()).summary(
        naming: databases.list, details: .all)
    }
  }

  /// Of one transaction, or one step; its state is that at the failure.
  private func highlight(
    _ kind: StoryHighlight.Kind, _ places: [Int], _ changes: ChangeSummary = ChangeSummary()
  ) -> StoryHighlight {
    let (first, last) = (steps[places[0]], steps[places[places.count - 1]])
    let group = transactions.transaction(ofStepAt: places[0]).map { transactions.groups[$0] }
    return StoryHighlight(
      kind: kind, first: first.number, last: last.number,
      state: isUndone(places) ? .rolledBack : group.map { $0.end > failure ? .open : $0.state } ?? .single,
      connection: last.connection,
      changes: changes)
  }

  private func summary(_ places: [Int]) -> ChangeSummary { written(places).summary(naming: databases.list) }

  // MARK: - Writes

  struct Write {
    var places: [Int]
    var statements: Set<String>
    var summary = ChangeSummary()
  }

  private func highlightedWrites(_ places: [Int]) -> [Write] {
    var chosen: [Write] = []
    let all = allWrites(places)
    var times: [Set<String>: Int] = [:]
    for write in all { times[write.statements, default: 0] += 1 }
    for var write in all.reversed() {
      if !chosen.isEmpty {
        guard chosen.count < Self.mostWrites, times[write.statements] ?? 0 < Self.setUpTimes else { break }
      }
      write.summary = summary(write.places)
      if !chosen.isEmpty, write.summary.rowCount > Self.mostRows { break }
      chosen.append(write)
    }
    return chosen.reversed()
  }

  /// A transaction is one, and so is a step that was committed by itself.
  func allWrites(_ places: [Int]) -> [Write] {
    var writes: [Write] = []
    var known: [Int: Int] = [:]
    for place in places where wroteRows(place) {
      let group = transactions.transaction(ofStepAt: place)
      if let known = group.flatMap({ known[$0] }) {
        writes[known].places.append(place)
        writes[known].statements.insert(steps[place].sql)
      } else {
        if let group { known[group] = writes.count }
        writes.append(Write(places: [place], statements: [steps[place].sql]))
      }
    }
    return writes.sorted { ($0.places.last ?? 0) < ($1.places.last ?? 0) }
  }

  /// Rows of libraries do not count.
  private func wroteRows(_ place: Int) -> Bool {
    guard transactions.undone[place] != .failed else { return false }
    return steps[place].changes.contains { !StoryTable(database: 0, name: $0.table).isOfLibrary }
  }

  // MARK: - What failed, and what was read

  /// The last one that the message tells, or that no write follows.
  private func failedStep(_ places: [Int]) -> Int? {
    guard let place = places.last(where: { steps[$0].error != nil && !texts[$0].isHousekeeping }),
      let error = steps[place].error
    else { return nil }
    let isTold = failures.contains(where: error.isTold(byTextIn:))
    return isTold || !places.contains { $0 > place && wroteRows($0) } ? place : nil
  }

  /// The reads that the failing value may come from, and the last read.
  ///
  /// - Parameters:
  ///   - origin: The read that returned the value, or led to it.
  ///   - isMade: True where code made the value.
  private func highlightedReads(_ places: [Int], origin: Int?, isMade: Bool) -> (leading: [Int], last: [Int])
  {
    let reading = places.filter {
      isRead($0) && (texts[$0].readsTable || texts[$0].isPragma && steps[$0].number == origin)
    }
    guard let last = reading.last else { return ([], []) }
    let telling = reading.last { steps[$0].number == origin }
    return (isMade ? telling.map { [$0] } ?? [] : readsOfLine(telling ?? last, reading), [last])
  }

  /// A read, and the last runs of other statements of its line.
  private func readsOfLine(_ read: Int, _ reading: [Int]) -> [Int] {
    guard let line = line(ofStep: steps[read].number) else { return [read] }
    var (found, forms): ([Int], Set<String>) = ([read], [])
    forms.insert(StatementText.withoutLiterals(steps[read].sql, names: texts[read].names))
    for place in reading.reversed() where self.line(ofStep: steps[place].number) == line {
      guard found.count < Self.mostReads else { break }
      let form = StatementText.withoutLiterals(steps[place].sql, names: texts[place].names)
      if forms.insert(form).inserted { found.append(place) }
    }
    return found.sorted()
  }

  /// The last read of whose result a cell of the value's row is.
  private func readBehindWrite(of story: Story, _ places: [Int]) -> Int? {
    for found in story.valuePlaces {
      guard case .change(let number, let table, let key, _, true) = found.place,
        let write = places.last(where: { steps[$0].number == number }),
        let row = steps[write].changes.last(where: { $0.table == table.name && ($0.newKey ?? $0.key) == key })
      else { continue }
      // A key says only which row it is about.
      let keys = layouts.keyColumns(of: table)
      let names = layouts.columns(of: table, count: row.new.count, at: write)
      let cells = Set(
        zip(row.new, names).filter { !keys.contains($1) }.compactMap(\.0).filter(\.isTelling))
      let read = places.last { place in
        place < write && isRead(place) && texts[place].readsTable
          && steps[place].results.contains { $0.contains { $0.map(cells.contains) == true } }
      }
      if let read { return read }
    }
    return nil
  }

  /// With few rows, those first in which a value of the message stands.
  private func kept(_ highlights: [StoryHighlight], of story: Story) -> [StoryHighlight] {
    let marks = StoryValueMarks(story)
    let groups = highlights.flatMap(\.changes.tables).reduce(0) { $0 + $1.groups.count }
    return highlights.map { highlight in
      var highlight = highlight
      highlight.changes.keepRows(StoryHighlight.mostRows(ofGroups: groups)) { table, row, columns in
        marks.holds(row, of: table, columns)
      }
      return highlight
    }
  }
}

extension DatabaseValue {
  /// Hardly found in two places by chance.
  fileprivate var isTelling: Bool {
    switch self {
    case .integer(let number): number.magnitude >= 100
    case .real: true
    case .text(let text, _): text.utf8.count >= 6
    case .blob(let bytes, _): bytes.count >= 6
    case .null: false
    }
  }
}
