import Collector
package import ExhibitSQLite
import ReportInspection
import ReportModel

/// Reads from a captured database what explains a story's highlights: what the rows are called that foreign keys lead
/// to, which rows refer to one that could not go, and the rows that a read of one number was about.
package struct HighlightRows {
  private typealias ForeignKey = (column: String, parent: String, parentColumn: String)

  private static let (mostNames, mostRows, mostColumns) = (60, 5, 6)
  /// Conditions that are told of one read, rows of each, and lines that wrote what was read.
  private static let (mostConditions, mostLeftOut, mostLines) = (3, 2, 4)
  /// Rows of one read whose writers are looked up.
  private static let mostKeys = 20_000

  private let connection: InspectionConnection
  private let limits = InspectionLimits()
  private let schema: CapturedSchema
  /// Index in the story's databases.
  private let database: Int
  private var room = HighlightRows.mostNames

  /// - Parameter file: The captured database, which may be anybody's.
  /// - Throws: `SQLiteError`.
  package init(_ file: String, of database: Int, _ schema: CapturedSchema) throws(SQLiteError) {
    connection = try InspectionConnection(path: file, limits: limits)
    (self.schema, self.database) = (schema, database)
  }

  /// - Parameters:
  ///   - builder: The story's builder, for rows that are no longer in the captured database.
  ///   - leading: The index of the read whose rows are told.
  ///   - step: The step of a number.
  package mutating func complete(
    _ highlights: inout [StoryHighlight], _ builder: StoryBuilder? = nil, leading: Int? = nil,
    step: (Int) -> StoryStep?
  ) {
    for index in highlights.indices {
      connection.allow(steps: limits.tableSteps)
      var highlight = highlights[index]
      let last = step(highlight.last)
      if highlight.kind == .failed, let last {
        highlight.related += conflicts(highlight, last) + collisions(last, builder)
      }
      if index == leading, let last, last.database == database {
        highlight.related += rows(behind: last, builder)
      }
      name(&highlight, removed: highlights.flatMap(\.changes.tables))
      highlights[index] = highlight
    }
  }

  // MARK: - Names

  private mutating func name(_ highlight: inout StoryHighlight, removed: [ChangeSummary.Table]) {
    var values: [ReferenceNames.Reference] = []
    func add(_ table: StoryTable, _ columns: [String], _ row: [Story.Value?]?) {
      for (column, value) in zip(columns, row ?? []) {
        if let value { values.append(.init(table: table, column: column, value: value)) }
      }
    }
    for table in highlight.changes.tables where table.table.database == database {
      for row in table.groups.flatMap(\.rows) {
        add(table.table, table.columns, row.new)
        add(table.table, table.columns, row.old)
      }
    }
    for related in highlight.related where related.table.database == database {
      for row in related.rows { add(related.table, related.columns, row) }
    }
    name(values, &highlight.names, removed: removed)
  }

  /// Names the rows to which the rows of Why refer.
  ///
  /// - Parameter highlights: They tell rows that are gone.
  package mutating func complete(_ explanations: inout [Explanation], _ highlights: [StoryHighlight]) {
    for index in explanations.indices {
      guard let rows = explanations[index].rows, rows.table.database == database else { continue }
      connection.allow(steps: limits.tableSteps)
      let values = rows.rows.flatMap { row in
        zip(rows.columns, row).map {
          ReferenceNames.Reference(table: rows.table, column: $0, value: $1)
        }
      }
      name(values, &explanations[index].names, removed: highlights.flatMap(\.changes.tables))
    }
    room = Self.mostNames
  }

  private mutating func name(
    _ values: [ReferenceNames.Reference], _ names: inout ReferenceNames, removed: [ChangeSummary.Table]
  ) {
    var seen: Set<ReferenceNames.Reference> = []
    for reference in values where seen.insert(reference).inserted && room > 0 {
      guard let key = keys(of: reference.table.name).first(where: { $0.column == reference.column }) else {
        continue
      }
      room -= 1
      names[reference.table, reference.column, reference.value] =
        name(of: reference.value, key) ?? name(of: reference.value, key, among: removed)
    }
  }

  /// The foreign keys of one column each.
  private func keys(of table: String) -> [ForeignKey] {
    guard let table = schema.tables[table] else { return [] }
    return table.foreignKeys.filter { $0.isMatched && $0.columns.count == 1 }.map {
      (table.columns[$0.columns[0]].name, $0.table, $0.parents[0])
    }
  }

  /// The first text of the row that reads as a name.
  private func name(of value: Story.Value, _ key: ForeignKey) -> String? {
    guard let literal = value.literal, let parent = schema.declared[key.parent] else { return nil }
    let column = key.parentColumn
    let columns = parent.stored.map(\.name).filter { $0 != column }.prefix(8)
    guard !columns.isEmpty else { return nil }
    let cells = read(
      "SELECT \(columns.map(SQLText.name).joined(separator: ", ")) FROM \(SQLText.name(parent.name)) WHERE \(SQLText.name(column)) = \(literal) LIMIT 1"
    )?.rows.first
    return cells.flatMap { $0.lazy.compactMap(\.nameText).first }
  }

  /// The same of a row that is gone, and was told of.
  private func name(of value: Story.Value, _ key: ForeignKey, among tables: [ChangeSummary.Table]) -> String?
  {
    for table in tables where table.table.database == database && table.table.name == key.parent {
      guard schema.declared[key.parent] != nil, let place = table.columns.firstIndex(of: key.parentColumn)
      else { continue }
      let row = table.groups.flatMap(\.rows).compactMap { $0.old ?? $0.new }.first {
        $0.indices.contains(place) && $0[place] == value
      }
      let cells = row?.enumerated().filter { $0.offset != place }.compactMap(\.element)
      if let name = cells?.lazy.compactMap(\.nameText).first { return name }
    }
    return nil
  }

  // MARK: - Foreign keys that were in the way

  /// The rows whose foreign key kept a statement from deleting or changing the row that they refer to.
  private mutating func conflicts(_ highlight: StoryHighlight, _ step: StoryStep) -> [RelatedRows] {
    guard step.error?.code == 787 else { return [] }
    var related: [RelatedRows] = []
    for table in highlight.changes.tables where table.table.database == database {
      for row in table.groups.flatMap(\.rows) {
        if let old = row.old { related += referrers(to: old, of: table) }
      }
    }
    return Array(related.prefix(3))
  }

  private mutating func referrers(to row: [Story.Value?], of table: ChangeSummary.Table) -> [RelatedRows] {
    var related: [RelatedRows] = []
    for child in schema.tables.keys.sorted() {
      for key in keys(of: child) where key.parent.lowercased() == table.table.name.lowercased() {
        let column = key.parentColumn
        guard schema.declared[key.parent] != nil,
          let place = table.columns.firstIndex(where: { $0.lowercased() == column.lowercased() }),
          row.indices.contains(place), let value = row[place], let literal = value.literal
        else { continue }
        let source = "FROM \(SQLText.name(child)) WHERE \(SQLText.name(key.column)) = \(literal)"
        guard let found = read("SELECT * \(source) LIMIT \(Self.mostRows)"), !found.rows.isEmpty else {
          continue
        }
        let count = count(source) ?? found.rows.count
        related.append(
          RelatedRows(
            table: StoryTable(database: database, name: child),
            title:
              "\(child): \(counted(count, "row")) \(count == 1 ? "refers" : "refer") to \(column) \(value.shortText) of \(table.table.name)",
            columns: found.columns, rows: found.rows, count: count))
      }
    }
    return related
  }

  // MARK: - Keys that were there already

  /// The rows that were in the way of a statement that a UNIQUE or PRIMARY KEY constraint refused.
  private mutating func collisions(_ step: StoryStep, _ builder: StoryBuilder?) -> [RelatedRows] {
    guard step.database == database, !step.isWithheld, let refused = RefusedRows(step, schema) else {
      return []
    }
    let table = StoryTable(database: database, name: refused.table)
    // The query has the test's text: it may ask for what this database lacks.
    let keys = read(refused.keys)?.rows ?? []
    guard let key = keys.first else { return [] }
    if let found = read(refused.inTheWay), let row = found.rows.first {
      let values = refused.columns.map { column in
        found.columns.firstIndex { $0.lowercased() == column.lowercased() }.map { row[$0] } ?? key[0]
      }
      let write = builder?.lastWrite(of: table, refused.columns, values, before: .max)
      // A row that came later was not in its way.
      if write.map({ $0.step < step.number }) ?? true {
        return [
          RelatedRows(
            table: table, title: "\(refused.table): there already with \(refused.text(of: values))",
            columns: found.columns, rows: found.rows, step: write?.step)
        ]
      }
    }
    for key in keys {
      guard let write = builder?.lastWrite(of: table, refused.columns, key, before: step.number) else {
        continue
      }
      return [
        RelatedRows(
          table: table, title: "\(refused.table): there at that time with \(refused.text(of: key))",
          columns: write.columns, rows: [write.row], step: write.step)
      ]
    }
    return []
  }

  // MARK: - What a read is made of

  /// The rows that a read is made of, and those that each of its conditions leaves out.
  ///
  /// What it read may have been otherwise, and then nothing is said: another connection's transaction is open in the file,
  /// or rows came later.
  private func rows(behind step: StoryStep, _ builder: StoryBuilder?) -> [RelatedRows] {
    guard let query = ReadQuery(step.statement), let now = read(step.statement)?.rows,
      step.rows.map({ min($0, Self.mostRows) == now.count }) == true, step.results.count >= now.count,
      zip(step.results, now).allSatisfy({ $0 == $1.map(Optional.some) }),
      builder?.hasChanged(query.names, in: database, after: step.number) != true
    else { return [] }
    let made = query.isAggregate && step.rows == 1 ? rows(of: query, builder) : nil
    let left = query.conditions.indices.compactMap { leftOut(by: $0, of: query) }
      .sorted { ($0.areNull ? 0 : 1, $0.rows.count ?? 0) < ($1.areNull ? 0 : 1, $1.rows.count ?? 0) }
    return [made].compactMap(\.self) + left.prefix(Self.mostConditions).map(\.rows)
  }

  private func rows(of query: ReadQuery, _ builder: StoryBuilder?) -> RelatedRows? {
    guard let count = count(query.source), count > 0,
      let found = read("SELECT * \(query.source) LIMIT \(Self.mostRows)")
    else { return nil }
    let writers = builder.map { written(query, $0, of: count) } ?? []
    return related(
      found, query, count: count, "made of \(([counted(count, "row")] + writers).joined(separator: ", "))")
  }

  /// The rows of the first table that a condition leaves out alone: all others hold for them.
  private func leftOut(by index: Int, of query: ReadQuery) -> (rows: RelatedRows, areNull: Bool)? {
    let condition = query.conditions[index].text
    guard query.conditions[index].isOfFirstTable, !picksKey(query.conditions[index], of: query),
      let rowid = rowid(of: query) ?? (query.isJoin ? nil : "*")
    else { return nil }
    var others = query.conditions.map(\.text)
    others[index] = "(\(condition)) IS NOT TRUE"
    let counting = rowid == "*" ? "count(*)" : "count(DISTINCT \(rowid))"
    guard let count = self.count(query.source(of: others), counting), count > 0,
      let found = read("SELECT * \(query.source(of: others)) LIMIT \(Self.mostLeftOut)")
    else { return nil }
    others[index] = "(\(condition)) IS NULL"
    guard let nulls = self.count(query.source(of: others), counting) else { return nil }
    let null = nulls == 0 ? "" : nulls == count ? ", which is NULL" : ", which is NULL for \(grouped(nulls))"
    let rows = related(
      found, query, count: count,
      "\(counted(count, "row")) left out by “\(shortened(condition, to: 80))”\(null)")
    return (rows, nulls > 0)
  }

  /// True where a condition says by its key which row, or of which row, the read is.
  private func picksKey(_ condition: ReadQuery.Condition, of query: ReadQuery) -> Bool {
    guard let column = condition.picked?.lowercased() else { return false }
    return table(of: query)?.table.keyColumns.contains { $0.lowercased() == column } == true
  }

  /// The rowid of the query's first table; `nil` where it has none.
  private func rowid(of query: ReadQuery) -> String? {
    guard let table = table(of: query)?.table, let rowid = table.rowid else { return nil }
    return "\(SQLText.name(query.alias)).\(rowid)"
  }

  private func table(of query: ReadQuery) -> (name: String, table: CapturedSchema.Table)? {
    schema.tables.first { $0.key.lowercased() == query.table.lowercased() }.map { ($0.key, $0.value) }
  }

  private func related(
    _ found: (columns: [String], rows: [[Story.Value]]), _ query: ReadQuery, count: Int?, _ title: String
  ) -> RelatedRows {
    let shown = columns(found.columns, named: query.names)
    return RelatedRows(
      table: StoryTable(database: database, name: query.table), title: "\(query.table): \(title)",
      columns: shown.map { found.columns[$0] }, rows: found.rows.map { row in shown.map { row[$0] } },
      count: count)
  }

  /// The lines of the test that wrote rows that were read, those of most rows first: `27 there before`, `3 added by line 26`.
  ///
  /// Of a join nothing is said where a row of its first table stands in several of its rows.
  private func written(_ query: ReadQuery, _ builder: StoryBuilder, of count: Int) -> [String] {
    guard let (name, table) = table(of: query), table.kind == .ordinary, !builder.makesRows(of: name),
      let rowid = rowid(of: query), count <= Self.mostKeys,
      let keys = read("SELECT DISTINCT \(rowid) \(query.source)", most: Self.mostKeys)?.rows,
      keys.count == count
    else { return [] }
    let written = builder.writtenRows(in: database, schema)
    guard !written.isPartial else { return [] }
    var counts: [String: Int] = [:]
    var lines: [Int: String] = [:]
    var before = 0
    for key in keys {
      guard case .integer(let rowid) = key[0] else { return [] }
      guard let writing = written.rows[name]?[.rowid(rowid)], let step = writing.insertedAt ?? writing.step
      else {
        before += 1
        continue
      }
      let line = lines[step] ?? builder.line(ofStep: step).map { "line \($0)" } ?? "step \(step)"
      lines[step] = line
      let word = writing.insertedAt != nil ? "added" : writing.columns == nil ? "written" : "changed"
      counts["\(word) by \(line)", default: 0] += 1
    }
    let writers = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostLines)
      .map { "\($0.value == keys.count ? "all" : grouped($0.value)) \($0.key)" }
    let there =
      before == keys.count ? "all there before" : before > 0 ? "\(grouped(before)) there before" : nil
    return [there].compactMap(\.self) + writers
  }

  /// All where there are few; else the first two, and those that the statement names.
  private func columns(_ all: [String], named names: Set<String>) -> [Int] {
    guard all.count > Self.mostColumns else { return Array(all.indices) }
    let named = all.indices.filter { names.contains(all[$0].lowercased()) }
    return Array(Set([0, 1] + named).sorted().prefix(Self.mostColumns))
  }

  // MARK: - Reading

  private func count(_ source: String, _ counting: String = "count(*)") -> Int? {
    guard case .integer(let count)? = read("SELECT \(counting) \(source)")?.rows.first?.first else {
      return nil
    }
    return Int(clamping: count)
  }

  /// - Returns: `nil` for what cannot be read: the page then says less, and the inspection of the file says why.
  private func read(_ sql: String, most: Int = HighlightRows.mostRows) -> (
    columns: [String], rows: [[Story.Value]]
  )? {
    guard let statement = try? connection.prepare(sql) else { return nil }
    let columns = Array(statement.columnNames.prefix(limits.columns))
    var rows: [[Story.Value]] = []
    do {
      while rows.count < most, try statement.step() {
        rows.append(columns.indices.map { statement.cell(at: Int32($0), limit: limits.cellBytes) })
      }
    } catch {
      return nil
    }
    return (columns, rows)
  }
}

extension DatabaseValue {
  /// As SQL writes it; `nil` where it is not known whole.
  package var literal: String? {
    switch self {
    case .integer(let number): String(number)
    case .text(let text, nil): SQLText.text(text)
    case .null, .real, .text, .blob: nil
    }
  }

  /// A text that may be what its row is called: no date, no number, nothing long.
  fileprivate var nameText: String? {
    guard case .text(let text, nil) = self, text.count <= 40, text.contains(where: \.isLetter),
      !(text.first?.isNumber ?? true), !text.contains(where: \.isNewline)
    else { return nil }
    let isIdentifier = text.utf8.count == 36 && text.split(separator: "-").count == 5
    return isIdentifier ? nil : text
  }
}
