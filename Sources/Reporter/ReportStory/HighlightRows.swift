import Collector
package import ExhibitSQLite
import ReportInspection
import ReportModel

/// Completes highlights and explanations with rows of a captured database: names of rows that foreign keys lead to,
/// rows that refer to one that could not go, rows behind a read.
package struct HighlightRows {
  private typealias ForeignKey = (column: String, parent: String, parentColumn: String)

  private static let (mostNames, mostRows, mostRejections) = (60, CapturedReads.mostRows, 20)

  private let reads: CapturedReads
  private let schema: CapturedSchema
  private let database: Int
  private var room = HighlightRows.mostNames

  package init(_ file: String, of database: Int, _ schema: CapturedSchema) throws(SQLiteError) {
    reads = try CapturedReads(file)
    (self.schema, self.database) = (schema, database)
  }

  /// - Parameters:
  ///   - leading: The indices of the reads whose rows are told; of several, only the origin's.
  ///   - origin: The number of the read that the failing value comes from.
  package mutating func complete(
    _ highlights: inout [StoryHighlight], _ builder: StoryBuilder? = nil, leading: [Int] = [],
    origin: Int? = nil,
    step: (Int) -> StoryStep?
  ) {
    for index in highlights.indices {
      reads.begin()
      var highlight = highlights[index]
      let last = step(highlight.last)
      if highlight.kind == .failed, let last {
        highlight.related += conflicts(highlight, last) + collisions(last, builder)
      }
      if leading.contains(index), let last, last.database == database {
        let behind = RowsBehindRead(reads: reads, schema: schema, database: database, builder: builder)
        let rows = behind.rows(behind: last, step: step)
        highlight.related += leading.count > 1 && last.number != origin ? rows.map(\.withoutRows) : rows
      }
      name(&highlight, removed: highlights.flatMap(\.changes.tables))
      highlights[index] = highlight
    }
  }

  /// Tells of writes that changed nothing which row they left out, of the last ones first.
  package func complete(_ story: inout Story, _ builder: StoryBuilder) {
    var room = Self.mostRejections
    story.changeSteps { step in
      guard room > 0, step.database == database, step.rejection == nil, step.marks.contains(.changedNothing)
      else { return }
      room -= 1
      reads.begin()
      let behind = RowsBehindRead(reads: reads, schema: schema, database: database, builder: builder)
      step.rejection = behind.rejection(of: step)
    }
  }

  // MARK: - Names

  private mutating func name(_ highlight: inout StoryHighlight, removed: [ChangeSummary.Table]) {
    var values: [ReferenceNames.Reference] = []
    func add(_ table: StoryTable, _ columns: [String], _ row: [DatabaseValue?]?) {
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

  /// - Parameter highlights: They know rows that are gone.
  package mutating func complete(_ explanations: inout [Explanation], _ highlights: [StoryHighlight]) {
    for index in explanations.indices {
      guard let rows = explanations[index].rows, rows.table.database == database else { continue }
      reads.begin()
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

  private func name(of value: DatabaseValue, _ key: ForeignKey) -> String? {
    guard let literal = value.literal, let parent = schema.declared[key.parent] else { return nil }
    let column = key.parentColumn
    let columns = parent.stored.map(\.name).filter { $0 != column }.prefix(8)
    guard !columns.isEmpty else { return nil }
    let cells = reads.rows(
      "SELECT \(columns.map(SQLText.name).joined(separator: ", ")) FROM \(SQLText.name(parent.name)) WHERE \(SQLText.name(column)) = \(literal) LIMIT 1"
    )?.rows.first
    return cells.flatMap { $0.lazy.compactMap(\.nameText).first }
  }

  /// The same for a row that is gone.
  private func name(of value: DatabaseValue, _ key: ForeignKey, among tables: [ChangeSummary.Table])
    -> String?
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

  private mutating func referrers(to row: [DatabaseValue?], of table: ChangeSummary.Table) -> [RelatedRows] {
    var related: [RelatedRows] = []
    for child in schema.tables.keys.sorted() {
      for key in keys(of: child) where key.parent.lowercased() == table.table.name.lowercased() {
        let column = key.parentColumn
        guard schema.declared[key.parent] != nil,
          let place = table.columns.firstIndex(where: { $0.lowercased() == column.lowercased() }),
          row.indices.contains(place), let value = row[place], let literal = value.literal
        else { continue }
        let source = "FROM \(SQLText.name(child)) WHERE \(SQLText.name(key.column)) = \(literal)"
        guard let found = reads.rows("SELECT * \(source) LIMIT \(Self.mostRows)"), !found.rows.isEmpty else {
          continue
        }
        let count = reads.count(source) ?? found.rows.count
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

  /// The rows that a UNIQUE or PRIMARY KEY constraint met.
  private mutating func collisions(_ step: StoryStep, _ builder: StoryBuilder?) -> [RelatedRows] {
    guard step.database == database, !step.isWithheld, let refused = RefusedRows(step, schema) else {
      return []
    }
    let table = StoryTable(database: database, name: refused.table)
    // The test's text may ask for what this database lacks.
    let keys = reads.rows(refused.keys)?.rows ?? []
    guard let key = keys.first else { return [] }
    if let found = reads.rows(refused.inTheWay), let row = found.rows.first {
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
}

extension DatabaseValue {
  /// As SQL writes it; `nil` where it is not whole.
  package var literal: String? {
    switch self {
    case .integer(let number): String(number)
    case .text(let text, nil): SQLText.text(text)
    case .null, .real, .text, .blob: nil
    }
  }

  /// The text, where it may be a name: no date, no number, nothing long.
  fileprivate var nameText: String? {
    guard case .text(let text, nil) = self, text.count <= 40, text.contains(where: \.isLetter),
      !(text.first?.isNumber ?? true), !text.contains(where: \.isNewline)
    else { return nil }
    let isIdentifier = text.utf8.count == 36 && text.split(separator: "-").count == 5
    return isIdentifier ? nil : text
  }
}
