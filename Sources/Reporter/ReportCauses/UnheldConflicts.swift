import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// INSERT OR REPLACE, OR IGNORE and ON CONFLICT DO … of tables in which no row can stand in their way, so that rows stand
/// there twice.
extension Causes {
  /// Rows of the family below which nothing is looked for, and the share of its rows that may stand twice.
  private static let (fewest, rareEnough) = (5, 0.25)
  /// Columns of a statement of which pairs are tried.
  private static let mostColumns = 8
  /// Values, by whose columns rows are alike, that are told to be so.
  private static let mostGroups = 1000

  var unheldConflicts: [Explanation] { families.all.compactMap(explanation) }

  private func explanation(of family: StepFamily) -> Explanation? {
    guard let insert = ConflictInsert(family.sql) else { return nil }
    let changes = family.members.flatMap { step in
      step.changes.filter { $0.told.depth == 0 && $0.told.operation == .insert }
    }
    guard changes.count >= Self.fewest, let table = changes.first?.table,
      changes.allSatisfy({ $0.table == table }),
      let file = files.committed.first(where: { $0.database == table.database }),
      let declared = file.schema.tables[table.name], !declared.isVirtual
    else { return nil }
    let given = insert.columns ?? declared.columns.map(\.name)
    guard !canConflict(declared, given, changes) else { return nil }
    let keys = Set(changes.compactMap { $0.told.newKey ?? $0.told.key })
    guard keys.count == changes.count, let database = files.queries(of: file), let rowid = declared.rowid,
      let twice = twice(declared, given, rowid, keys, database)
    else { return nil }
    return explanation(family, insert, table, twice)
  }

  /// True when a row may be in the way.
  ///
  /// All columns of something unique are given, or a unique index is partial or on expressions.
  private func canConflict(
    _ table: CapturedSchema.Table, _ given: [String], _ changes: [ToldSteps.Change]
  ) -> Bool {
    let names = Set(given.map { $0.lowercased() })
    if table.indexes.contains(where: { index in
      index.isUnique && (index.isPartial || index.columns.contains { !table.columns.indices.contains($0) })
    }) {
      return true
    }
    let isKeyGiven = !table.keyNames.isEmpty && table.keyNames.allSatisfy { names.contains($0.lowercased()) }
    return isKeyGiven || table.uniqueColumns.contains { $0.allSatisfy { names.contains($0.lowercased()) } }
  }

  /// Rows that are there twice.
  ///
  /// The columns and their index, the number of groups, the first rows of these, the number of rows, and the
  /// keys of the rows that the family wrote.
  private typealias Twice = (
    columns: [String], index: String?, groups: Int, found: CapturedQueries.Rows, rows: Int, keys: Set<Int64>
  )

  /// By the columns of an index that is not unique, else by one or two that are given.
  private func twice(
    _ table: CapturedSchema.Table, _ given: [String], _ rowid: String, _ written: Set<Int64>,
    _ database: CapturedQueries
  ) -> Twice? {
    let columns = given.prefix(Self.mostColumns)
    var candidates: [(columns: [String], index: String?)] = table.indexes.filter { !$0.isUnique }.map {
      ($0.columns.compactMap { table.columns[safe: $0]?.name }, $0.name)
    }
    for (place, one) in columns.enumerated() {
      candidates += columns.dropFirst(place + 1).map { ([one, $0], nil) }
    }
    for candidate in candidates where !candidate.columns.isEmpty {
      let names = candidate.columns.map(SQLText.name).joined(separator: ", ")
      let alike =
        "FROM \(SQLText.name(table.name)) WHERE (\(names)) IN (SELECT \(names) FROM \(SQLText.name(table.name)) "
        + "GROUP BY \(names) HAVING count(*) > 1)"
      let rows = database.rows("SELECT \(rowid), \(names) \(alike)", most: Self.mostGroups + 1).rows
      let own = rows.filter { $0.first?.integer.map(written.contains) ?? false }
      guard !own.isEmpty, rows.count <= Self.mostGroups,
        Double(own.count) <= Double(written.count) * Self.rareEnough
      else { continue }
      let found = database.rows("SELECT * \(alike) ORDER BY \(names)", most: 6)
      return (
        candidate.columns, candidate.index, Set(rows.map { $0.dropFirst() }).count, found, rows.count,
        Set(own.compactMap { $0.first?.integer })
      )
    }
    return nil
  }

  private func explanation(
    _ family: StepFamily, _ insert: ConflictInsert, _ table: StoryTable, _ twice: Twice
  ) -> Explanation? {
    let steps = family.members.filter { step in
      step.changes.contains { change in
        change.table == table && change.told.depth == 0
          && ((change.told.newKey ?? change.told.key).map(twice.keys.contains) ?? false)
      }
    }
    let touches = disagreement.weight(of: [table.name])
    guard let last = steps.last, touches > 0 else { return nil }
    let columns = twice.columns.joined(separator: " and ")
    let index = twice.index.map { " (\($0) is an index that is not UNIQUE)" } ?? ""
    return Explanation(
      .certain,
      """
      \(family.pieces) \(insert.effect): nothing that it gives is UNIQUE or a key in \(table.name)\(index)\
      \(values: "; values of \(columns) are there more than once (\(grouped(twice.groups)) of them)") (last written \
      in \(step: last.number)).
      """,
      rows: RelatedRows(
        table: table, title: "\(table.name): alike in \(columns)", columns: twice.found.columns,
        rows: twice.found.rows, count: twice.rows),
      weight: Weight.certain + touches + 5, about: Set(steps.map(\.number)))
  }
}

/// An INSERT that says what becomes of rows in its way.
private struct ConflictInsert {
  /// As it gives them; `nil` for all.
  var columns: [String]?
  /// The words for its missing effect, such as `finds no row in its way`.
  var effect: String

  init?(_ sql: String) {
    let tokens = SQLToken.all(in: sql)
    let words = tokens.map { $0.isQuoted ? "" : $0.folded }
    guard words.first == "INSERT" || words.first == "REPLACE", let into = words.firstIndex(of: "INTO") else {
      return nil
    }
    if words.first == "REPLACE" || words[..<into].contains("REPLACE") {
      effect = "finds no row to replace"
    } else if words[..<into].contains("IGNORE") {
      effect = "finds no row in its way"
    } else {
      return nil
    }
    let isQualified = tokens[safe: into + 2]?.text == "."
    let open = into + (isQualified ? 4 : 2)
    guard tokens[safe: open]?.text == "(" else { return }
    columns = tokens[(open + 1)...].prefix { $0.text != ")" }.compactMap(\.name)
  }
}
