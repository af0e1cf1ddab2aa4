import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel

/// Tells what a read was made of: its rows and who wrote them, rows that its conditions leave out, and what its one
/// row was before.
struct RowsBehindRead {
  /// Limits: conditions that are told, rows that each left out, and rows of a read where there are no more.
  private static let (mostConditions, mostLeftOut, mostOfFew) = (3, 2, 3)
  private static let (mostLines, mostStates, mostColumns) = (4, 5, 6)
  private static let mostKeys = 20_000

  let reads: CapturedReads
  let schema: CapturedSchema
  let database: Int
  let builder: StoryBuilder?

  /// Nothing is said where the read may have seen other rows than the captured ones.
  func rows(behind read: StoryStep, step: (Int) -> StoryStep?) -> [RelatedRows] {
    guard let query = ReadQuery(read.statement), let now = reads.rows(read.statement)?.rows,
      read.rows.map({ min($0, CapturedReads.mostRows) == now.count }) == true,
      read.results.count >= now.count,
      zip(read.results, now).allSatisfy({ $0 == $1.map(Optional.some) }),
      builder.map({ isSame(query, read.number, read.number, $0) }) != false
    else { return [] }
    let rows = captured(query, now)
    let made = query.isAggregate && read.rows == 1 ? madeOf(rows) : past(of: rows) ?? list(rows)
    // A lookup of one row leaves all others out.
    let isLookup = !query.isAggregate && now.count <= 1 && query.conditions.count == 1
    let left = leftOut(by: query) { !isLookup || $0.picked == nil }
    return [made].compactMap(\.self) + left + leftOut(byWriteOf: rows, step)
  }

  /// True where the captured tables have the rows that a step saw.
  ///
  /// - Parameter last: The last step whose changes it saw.
  func isSame(_ query: ReadQuery, _ last: Int, _ step: Int, _ builder: StoryBuilder) -> Bool {
    !builder.hasChanged(query.names, in: database, after: last)
      && !builder.sawOtherRows(query.names, in: database, at: step)
  }

  private struct Captured {
    var query: ReadQuery
    var now: [[DatabaseValue]]
    /// Rows that its conditions leave; `nil` where they cannot be counted.
    var count: Int?
    /// Rowids of its first table; `nil` where they are not as many as its rows.
    var keys: [Int64]?
    var written: WrittenRows?
  }

  private func captured(_ query: ReadQuery, _ now: [[DatabaseValue]]) -> Captured {
    let count = reads.count(query.source)
    let keys = count.flatMap { rowids(of: query, $0) }
    return Captured(
      query: query, now: now, count: count, keys: keys,
      written: keys == nil ? nil : builder?.writtenRows(in: database, schema))
  }

  private func rowids(of query: ReadQuery, _ count: Int) -> [Int64]? {
    guard let rowid = rowid(of: query), count <= Self.mostKeys,
      let rows = reads.rows("SELECT DISTINCT \(rowid) \(query.source)", most: Self.mostKeys)?.rows,
      rows.count == count
    else { return nil }
    let keys = rows.compactMap { row -> Int64? in
      guard case .integer(let key)? = row.first else { return nil }
      return key
    }
    return keys.count == count ? keys : nil
  }

  // MARK: - The rows that it is made of

  private func madeOf(_ read: Captured) -> RelatedRows? {
    let query = read.query
    guard let count = read.count,
      let found = reads.rows(
        "SELECT * \(query.source) LIMIT \(count > Self.mostOfFew ? Self.mostLeftOut : Self.mostOfFew)")
    else { return nil }
    let lines = builder.flatMap { growth(of: query, read.now, $0) }
    guard count > 0 || lines != nil else { return nil }
    let who = lines ?? builder.map { writers(of: read, $0) } ?? []
    var head: String?
    if lines != nil, let additive = query.additive {
      let isOfRows = additive.isCount && read.now.first?.first == .integer(Int64(count))
      head = isOfRows ? nil : additive.isCount ? "the count" : "the sum"
    }
    // Rows of its other tables may have come later.
    if lines == nil, query.isJoin { head = "those of \(query.table)" }
    let title = "made of \(Self.sentence(count, who, of: head))"
    return repeated(in: query, title) ?? related(found, query, count: count, title)
  }

  /// The rows of a join's first table that stand in several of its rows, and so count several times.
  private func repeated(in query: ReadQuery, _ title: String) -> RelatedRows? {
    guard query.isJoin, let rowid = rowid(of: query) else { return nil }
    let alias = SQLText.name(query.alias)
    let byRow = "\(query.source) GROUP BY \(rowid)"
    guard
      let sums = reads.rows(
        "SELECT count(*), total(times > 1), max(times), min(iif(times > 1, times, NULL)) FROM (SELECT count(*) AS times \(byRow))"
      ),
      let counts = sums.rows.first?.compactMap(\.number), counts.count == 4, counts[1] > 0,
      let rows = reads.rows(
        "SELECT count(*) AS \"stands in\", \(alias).* \(byRow) HAVING count(*) > 1 ORDER BY 1 DESC, \(rowid) LIMIT \(Self.mostLeftOut)"
      )
    else { return nil }
    let (all, several) = (Int(counts[0]), Int(counts[1]))
    let times = counts[2] == counts[3] ? "\(Int(counts[2]))" : "\(Int(counts[3])) to \(Int(counts[2]))"
    let told =
      "from \(grouped(all)) of \(query.table): \(grouped(several)) of these \(several == 1 ? "stands" : "stand") in \(times) of them"
    return related(rows, query, count: several, "\(title), \(told)")
  }

  private func list(_ read: Captured) -> RelatedRows? {
    let query = read.query
    guard !query.isAggregate, !query.isLimited, let builder, let count = read.count,
      let lines = growth(of: query, [[.integer(Int64(count))]], builder)
    else { return nil }
    return related(([], []), query, count: nil, Self.sentence(count, lines))
  }

  /// - Parameter head: Whose writers they are, where it is not the number of rows.
  private static func sentence(_ count: Int, _ writers: [String], of head: String? = nil) -> String {
    let rows = count == 0 ? "no row" : counted(count, "row")
    return writers.isEmpty
      ? rows : "\(rows)\(head.map { "; \($0): " } ?? ", ")\(writers.joined(separator: ", "))"
  }

  /// What each line added: `27 there before`, `+3 by line 26`, `−1 by line 27`.
  ///
  /// - Parameter now: What the read returned, or the number of its rows.
  private func growth(of query: ReadQuery, _ now: [[DatabaseValue]], _ builder: StoryBuilder) -> [String]? {
    guard !query.isAggregate || query.additive != nil, let result = now.first?.first,
      let contributions = Contributions(of: query, table(of: query)?.table, reads),
      let changes = builder.standingChanges(of: contributions.table.name, in: database, schema)
    else { return nil }
    var lines: [(writer: String, sum: Sum)] = []
    guard var before = Sum(result) else { return nil }
    for (step, columns, change) in changes {
      guard let old = contributions.value(of: change.old, columns),
        let new = contributions.value(of: change.new, columns), let difference = new.minus(old),
        let earlier = before.minus(difference)
      else { return nil }
      before = earlier
      let writer = builder.writer(ofStep: step)
      let index = lines.firstIndex { $0.writer == writer } ?? lines.count
      if index == lines.count { lines.append((writer, .integer(0))) }
      guard let sum = lines[index].sum.plus(difference) else { return nil }
      lines[index].sum = sum
    }
    // Rows came or went that no step tells.
    if query.additive?.isCount != false, before.isNegative { return nil }
    let told = lines.filter { !$0.sum.isZero }
    guard !told.isEmpty else { return nil }
    let most = told.sorted { $0.sum.size > $1.sum.size }.prefix(Self.mostLines).map(\.writer)
    let others = told.count > most.count ? ["and others"] : []
    return (before.isZero ? [] : ["\(before.text) there before"])
      + told.filter { most.contains($0.writer) }.map { "\($0.sum.signedText) by \($0.writer)" } + others
  }

  /// The lines that wrote the rows, those of most rows first: `27 there before`, `3 added by line 26`.
  private func writers(of read: Captured, _ builder: StoryBuilder) -> [String] {
    guard let (name, table) = table(of: read.query), table.kind == .ordinary, !builder.makesRows(of: name),
      let keys = read.keys, let written = read.written, !written.isPartial
    else { return [] }
    var counts: [String: Int] = [:]
    var before = 0
    for key in keys {
      guard let writing = written.rows[name]?[.rowid(key)], let step = writing.insertedAt ?? writing.step
      else {
        before += 1
        continue
      }
      let word = writing.insertedAt != nil ? "added" : writing.columns == nil ? "written" : "changed"
      counts["\(word) by \(builder.writer(ofStep: step))", default: 0] += 1
    }
    let writers = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostLines)
      .map { "\($0.value == keys.count ? "all" : grouped($0.value)) \($0.key)" }
    let there =
      before == keys.count ? "all there before" : before > 0 ? "\(grouped(before)) there before" : nil
    return [there].compactMap(\.self) + writers
  }

  // MARK: - What its one row was before

  /// The states of the one row, as each line left it.
  private func past(of read: Captured) -> RelatedRows? {
    let query = read.query
    guard !query.isAggregate, !query.isJoin, !query.isLimited, read.now.count == 1, let builder,
      let (name, table) = table(of: query), table.kind == .ordinary, read.count == 1,
      let key = read.keys?.first,
      let all = builder.standingChanges(of: name, in: database, schema)
    else { return nil }
    let ofKey = all.filter { $0.change.newKey ?? $0.change.key == key || $0.change.key == key }
    // The key may have been another row's before.
    let changes = ofKey.suffix(from: ofKey.lastIndex { $0.change.operation == .insert } ?? 0)
    guard ofKey.allSatisfy({ $0.change.newKey ?? $0.change.key == $0.change.key }),
      !changes.contains(where: { $0.change.operation == .delete })
    else { return nil }
    guard let columns = changes.last?.columns, changes.allSatisfy({ $0.columns == columns }) else {
      return nil
    }
    let changed = columns.indices.filter { column in
      changes.contains {
        $0.change.operation == .update && $0.change.old[safe: column] != $0.change.new[safe: column]
      }
    }
    let named = columns.indices.filter { query.names.contains(columns[$0].lowercased()) }
    let shown = Array(
      (changed.isEmpty ? named : named.filter(changed.contains) + changed.filter { !named.contains($0) })
        .prefix(Self.mostColumns - 1))
    var states: [(who: String, row: [DatabaseValue])] = []
    func add(_ who: String, _ row: [DatabaseValue?]) {
      let cells = shown.compactMap { row[safe: $0] ?? nil }
      if cells.count == shown.count { states.append((who, cells)) }
    }
    if let first = changes.first, first.change.operation == .update { add("before", first.change.old) }
    for change in changes where change.change.operation != .delete {
      add(builder.writer(ofStep: change.step), change.change.new)
    }
    guard states.count > 1, !shown.isEmpty else { return nil }
    let told = states.suffix(Self.mostStates)
    var rows = RelatedRows(
      table: StoryTable(database: database, name: name), title: "\(name): the row, as each line left it",
      columns: shown.map { columns[$0] }, rows: told.map(\.row), count: states.count)
    rows.labels = told.map(\.who)
    return rows
  }

  // MARK: - The rows that were left out

  private func leftOut(
    by query: ReadQuery, _ when: String = "", _ isMeant: (ReadQuery.Condition) -> Bool = { _ in true }
  ) -> [RelatedRows] {
    query.conditions.indices.filter { isMeant(query.conditions[$0]) }.compactMap {
      leftOut(by: $0, of: query, when)
    }
    .sorted { ($0.areNull ? 0 : 1, $0.rows.count ?? 0) < ($1.areNull ? 0 : 1, $1.rows.count ?? 0) }
    .prefix(Self.mostConditions).map(\.rows)
  }

  /// The rows of the first table for which all other conditions hold.
  private func leftOut(by index: Int, of query: ReadQuery, _ when: String) -> (
    rows: RelatedRows, areNull: Bool
  )? {
    let condition = query.conditions[index].text
    guard query.conditions[index].isOfFirstTable, !picksKey(query.conditions[index], of: query),
      let rowid = rowid(of: query) ?? (query.isJoin ? nil : "*")
    else { return nil }
    var others = query.conditions.map(\.text)
    others[index] = "(\(condition)) IS NOT TRUE"
    let counting = rowid == "*" ? "count(*)" : "count(DISTINCT \(rowid))"
    guard let count = reads.count(query.source(of: others), counting), count > 0,
      let found = reads.rows(
        query.isJoin
          ? "SELECT \(SQLText.name(query.alias)).* \(query.source(of: others)) GROUP BY \(rowid) LIMIT \(Self.mostLeftOut)"
          : "SELECT * \(query.source(of: others)) LIMIT \(Self.mostLeftOut)")
    else { return nil }
    others[index] = "(\(condition)) IS NULL"
    guard let nulls = reads.count(query.source(of: others), counting) else { return nil }
    let null = nulls == 0 ? "" : nulls == count ? ", which is NULL" : ", which is NULL for \(grouped(nulls))"
    let rows = related(
      found, query, count: count,
      "\(counted(count, "row")) left out by “\(shortened(condition, to: 80))”\(null)\(when)")
    return (rows, nulls > 0)
  }

  /// What the conditions of the INSERT … SELECT left out that wrote all rows that were read.
  private func leftOut(byWriteOf read: Captured, _ step: (Int) -> StoryStep?) -> [RelatedRows] {
    guard let builder, let (name, table) = table(of: read.query), table.kind == .ordinary,
      let keys = read.keys,
      let written = read.written
    else { return [] }
    let writers = Set(keys.map { written.rows[name]?[.rowid($0)]?.insertedAt })
    guard !written.isPartial, writers.count == 1, let number = writers.first ?? nil, let write = step(number),
      write.database == database, let source = ReadQuery(insertedBy: write.statement),
      !source.names.contains(name.lowercased()),
      // Its own triggers may have changed them.
      isSame(source, number - 1, number, builder), !builder.makesRows(of: source.table)
    else { return [] }
    return leftOut(by: source, ", when \(builder.writer(ofStep: number)) wrote \(read.query.table)")
  }

  /// True where a condition picks one row by its key.
  func picksKey(_ condition: ReadQuery.Condition, of query: ReadQuery) -> Bool {
    guard let column = condition.picked?.lowercased() else { return false }
    return table(of: query)?.table.keyColumns.contains { $0.lowercased() == column } == true
  }

  // MARK: - Tables and columns

  private func rowid(of query: ReadQuery) -> String? {
    guard let table = table(of: query)?.table, let rowid = table.rowid else { return nil }
    return "\(SQLText.name(query.alias)).\(rowid)"
  }

  func table(of query: ReadQuery) -> (name: String, table: CapturedSchema.Table)? {
    schema.tables.first { $0.key.lowercased() == query.table.lowercased() }.map { ($0.key, $0.value) }
  }

  private func related(
    _ found: (columns: [String], rows: [[DatabaseValue]]), _ query: ReadQuery, count: Int?, _ title: String
  ) -> RelatedRows {
    let shown = columns(found.columns, named: query.names)
    return RelatedRows(
      table: StoryTable(database: database, name: query.table), title: "\(query.table): \(title)",
      columns: shown.map { found.columns[$0] }, rows: found.rows.map { row in shown.map { row[$0] } },
      count: count)
  }

  /// All where there are few; else the first two, and those that the statement names.
  private func columns(_ all: [String], named names: Set<String>) -> [Int] {
    guard all.count > Self.mostColumns else { return Array(all.indices) }
    let named = all.indices.filter { names.contains(all[$0].lowercased()) }
    return Array(Set([0, 1] + named).sorted().prefix(Self.mostColumns))
  }
}
