import Collector
import ExhibitSQLite
import ExhibitSystem
import ReportInspection
import ReportModel
import ReportStory

/// Finds lost updates and stale reads between connections.
extension Causes {
  private static let farthest = 200

  private typealias Write = (step: ToldSteps.Step, change: ToldSteps.Change)

  private struct TableRow: Hashable {
    var table: StoryTable
    var key: RowKey
  }

  var otherConnections: [Explanation] {
    guard Set(tests.map(\.recorded.connection)).count > 1 else { return [] }
    let reads = Dictionary(grouping: tests.filter { $0.text.kind == .select }, by: \.recorded.connection)
    return [lostUpdates(reads), oldReads].compactMap { $0 }
  }

  // MARK: - Lost updates

  /// Finds updates of one value by two connections where the later one had read the old value.
  private func lostUpdates(_ reads: [Int: [ToldSteps.Step]]) -> Explanation? {
    var writes: [TableRow: [Write]] = [:]
    var lost: [(table: StoryTable, first: Write, second: Write, column: Int, read: ToldSteps.Step)] = []
    for step in tests where step.text.kind == .update {
      for change in step.changes where change.told.operation == .update && change.told.depth == 0 {
        guard let key = change.row else { continue }
        let row = TableRow(table: change.table, key: key)
        let write: Write = (step, change)
        for earlier in (writes[row] ?? []).suffix(3)
        where earlier.step.recorded.connection != step.recorded.connection {
          if let (column, read) = overwritten(earlier, by: write, in: change.table, reads) {
            lost.append((change.table, earlier, write, column, read))
          }
        }
        writes[row, default: []].append(write)
      }
    }
    guard let first = lost.first else { return nil }
    let table = first.table
    lost.removeAll { $0.table != table }
    let touches = disagreement.weight(of: [table.name])
    let column = told.name(of: first.column, in: table)
    let sum = lost.reduce(Int64(0)) { total, one in
      total &+ (Self.growth(one.first.change.told, one.column) ?? 0)
    }
    let isMet = disagreement.isMet(by: sum)
    guard isMet || touches > 0 else { return nil }
    let met = isMet ? "; the lost updates are \(grouped(Int(sum))) in all, the difference" : nil
    return Explanation(
      .certain,
      """
      \(counted(lost.count, "update")) of \(table.name).\(column) \(lost.count == 1 ? "was" : "were") lost: \
      \(first.second.step.placeOr("A statement")) wrote in \(step: first.second.step.number) what it had read in \
      \(step: first.read.number), over what another connection had written in \
      \(step: first.first.step.number)\(values: met).
      """,
      rows: told.rows(
        of: lost.map(\.second.change), in: table, title: "\(table.name): what was written last"),
      weight: (isMet ? Weight.certainDifference : Weight.certain) + touches + 5,
      about: Set(lost.flatMap { [$0.first.step.number, $0.second.step.number] }))
  }

  /// The column whose earlier update was overlooked, and the read it was based on.
  private func overwritten(
    _ earlier: Write, by later: Write, in table: StoryTable, _ reads: [Int: [ToldSteps.Step]]
  ) -> (Int, ToldSteps.Step)? {
    let (one, other) = (earlier.change.told, later.change.told)
    // State transitions lose nothing; only numbers count.
    func isNumber(_ value: DatabaseValue?) -> Bool { value?.number != nil }
    guard one.old.count == other.new.count, one.new.count == other.new.count,
      other.old.count == other.new.count,
      let column = other.new.indices.first(where: {
        one.old[$0] != one.new[$0] && other.old[$0] != other.new[$0] && other.old[$0] == one.new[$0]
          && isNumber(one.old[$0]) && isNumber(other.old[$0]) && isNumber(other.new[$0])
      }), !isRelative(later.step, later.change.columns[safe: column] ?? "")
    else { return nil }
    // The connection's last read of the table preceded the other's commit.
    let name = table.name.lowercased()
    let own = reads[later.step.recorded.connection] ?? []
    let before = own[..<own.place { $0.number < later.step.number }].suffix(Self.farthest)
    let last = before.last { $0.names.contains(name) }
    guard let read = last, read.number < earlier.step.visibleAt, Self.returned(read, earlier.change, column),
      let new = one.new[column], !hasLooked(behind: earlier.step.visibleAt, before: later.step, name, new)
    else { return nil }
    return (column, read)
  }

  /// True when the connection saw the other's update, possibly through a view.
  private func hasLooked(
    behind number: Int, before step: ToldSteps.Step, _ table: String, _ value: DatabaseValue
  ) -> Bool {
    tests[..<tests.place { $0.number < step.number }].suffix(Self.farthest).contains { other in
      guard other.number > number, other.recorded.connection == step.recorded.connection else { return false }
      let recorded = other.recorded
      return other.names.contains(table) || recorded.results.contains { $0.contains(value) }
        || recorded.rows ?? 0 > recorded.results.count
    }
  }

  /// True when a read returned a row's former value, identified by key or by conditions that only it meets.
  private static func returned(_ read: ToldSteps.Step, _ change: ToldSteps.Change, _ column: Int) -> Bool {
    let columns = read.recorded.columns.map { $0.lowercased() }
    guard let name = change.columns[safe: column]?.lowercased(), let place = columns.firstIndex(of: name),
      let old = change.told.old[safe: column] ?? nil
    else { return false }
    let key = change.told.key.map(DatabaseValue.integer)
    let keys = change.columns.indices.filter { key != nil && (change.told.old[safe: $0] ?? nil) == key }
    if let told = keys.lazy.compactMap({ columns.firstIndex(of: change.columns[$0].lowercased()) }).first {
      return read.recorded.results.contains { row in
        (row[safe: place] ?? nil) == old && (row[safe: told] ?? nil) == key
      }
    }
    guard read.recorded.rows == 1, (read.recorded.results.first?[safe: place] ?? nil) == old,
      let conditions = read.asked.equalities
    else { return false }
    return conditions.allSatisfy { condition in
      let index = change.columns.firstIndex { $0.lowercased() == condition.column }
      return index.map { (change.told.old[safe: $0] ?? nil) == condition.value } ?? false
    }
  }

  /// True for `column = column + …` and subqueries.
  private func isRelative(_ step: ToldSteps.Step, _ column: String) -> Bool {
    let tokens = SQLToken.all(in: step.sql)
    let places = tokens.indices.filter { tokens[$0].name?.lowercased() == column.lowercased() }
    return places.count > 1 || tokens.contains { $0.folded == "SELECT" }
  }

  private static func growth(_ change: RecordedStory.Change, _ column: Int) -> Int64? {
    guard
      case (.integer(let old)??, .integer(let new)??) = (change.old[safe: column], change.new[safe: column])
    else { return nil }
    return new &- old
  }

  // MARK: - Old reads

  /// Finds a failing read in a transaction older than another connection's commit.
  private var oldReads: Explanation? {
    guard let last = disagreement.reads.first(where: { $0.transaction != nil }) else { return nil }
    let own = tests.filter { $0.transaction == last.transaction && $0.text.kind == .select }
    // BEGIN and reads of other databases start no snapshot of this file.
    let captured = files.filter { $0.database == last.database }.flatMap { Array($0.schema.tables.keys) }
    let changed = told.columns.keys.filter { $0.database == last.database }.map(\.name)
    let tablesOfFile = Set((captured + changed).map { $0.lowercased() })
    let start = own.first {
      $0.database == last.database && $0.recorded.error == nil && !$0.names.isDisjoint(with: tablesOfFile)
    }
    guard let start else { return nil }
    let tables = own.filter { $0.number <= last.number }.reduce(into: Set<String>()) {
      $0.formUnion($1.names)
    }
    let missed = tests.filter { step in
      guard step.committedAt != nil || step.transaction == nil, !step.changes.isEmpty,
        step.recorded.connection != last.recorded.connection
      else { return false }
      let at = step.visibleAt
      return at > start.number && at < last.number
        && step.changes.contains {
          $0.table.database == last.database && tables.contains($0.table.name.lowercased())
        }
    }
    guard !missed.isEmpty else { return nil }
    let changes = missed.flatMap(\.changes).filter {
      $0.table.database == last.database && tables.contains($0.table.name.lowercased())
    }
    let met = told.difference(of: changes, disagreement)
    var words: Explanation.Words =
      "\(last.placeOr("A statement")) read in \(step: last.number) what was so when its transaction began, in "
    words += "\(step: start.number). It does not see what other connections committed meanwhile: "
    for (index, table) in Set(changes.map(\.table)).sorted(by: { $0.name < $1.name }).prefix(4).enumerated() {
      let writers = missed.filter { $0.changes.contains { $0.table == table } }
      guard let first = writers.first else { continue }
      let count = changes.count { $0.table == table }
      words += """
        \(index > 0 ? "; " : "")\(counted(count, "change")) of \(table.name) by \
        \(first.placeOr("A statement")) in \(step: first.visibleAt)
        """
    }
    return Explanation(
      .certain, "\(words)\(values: met).",
      weight: (met == nil ? Weight.certain : Weight.certainDifference) + 15,
      about: Set(missed.map(\.number)))
  }
}
