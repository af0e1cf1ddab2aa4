import ExhibitSQLite
import ReportModel

/// Collects the changes between two states, by table.
final class WALChanges {
  /// The layouts of a table in both states.
  private struct Pair {
    var table: String
    var shadow: String?
    var old: TableLayout?
    var new: TableLayout?
    /// Former columns by name, when positions differ.
    var formerColumns: [String: Int]?
    var compared = 0
  }

  private let tables: WALTables
  private let virtual: VirtualTables
  private let isOfCoreData: Bool
  private let encoding: DatabaseState.Encoding
  private let showsRows: Bool
  private let limits: WALHistoryLimits
  private let rowLimit: Int
  private var rowidRoom: Int
  private var known: (key: TablePair, pair: Pair)?
  private var told: [WALHistory.Table] = []
  private var places: [String: Int] = [:]
  private var touched: [WALHistory.Touched] = []
  private var touchedPlaces: [String: Int] = [:]

  /// - Parameters:
  ///   - rows: The most rows kept per kind of change.
  ///   - rowidRoom: The most rowids kept.
  init(
    tables: WALTables, old: [SchemaEntry], encoding: DatabaseState.Encoding, showsRows: Bool,
    limits: WALHistoryLimits, rows: Int, rowidRoom: Int
  ) {
    (self.tables, self.encoding, self.showsRows, self.limits) = (tables, encoding, showsRows, limits)
    (rowLimit, self.rowidRoom) = (rows, rowidRoom)
    virtual = VirtualTables(old)
    isOfCoreData = CoreDataStore.isStore(old.lazy.map(\.name))
  }

  // MARK: - Rows

  /// - Throws: `DamagedPage`, `SystemError`.
  func add(_ key: TablePair, _ change: RowChange) throws {
    var pair = known?.key == key ? known?.pair : nil
    if pair == nil { pair = begin(key) }
    guard var pair else { return }
    known = nil
    defer { known = (key, pair) }
    note(change, in: pair.shadow ?? pair.table, pair.new ?? pair.old)
    let place = place(of: pair.table)
    if let shadow = pair.shadow {
      told[place].shadows[shadow, default: 0] += 1
      guard shadow.hasSuffix("_content") else { return }
    }
    guard let like = try like(change, &pair) else { return }
    try add(change, like, pair, to: place)
  }

  private func begin(_ key: TablePair) -> Pair? {
    guard let entry = key.latest else { return nil }
    let owner = virtual.owner(of: entry.name)
    let old = key.old.flatMap { tables.layout(of: $0, encoding) }
    let new = key.new.flatMap {
      key.old?.sql == $0.sql && key.old?.name == $0.name ? old : tables.layout(of: $0, encoding)
    }
    let names = (old ?? new)?.columns.map(\.name) ?? []
    let hasSame = names == (new ?? old)?.columns.map(\.name) ?? []
    return Pair(
      table: owner ?? entry.name, shadow: owner.map { _ in entry.name }, old: old, new: new,
      formerColumns: hasSame ? nil : Dictionary(zip(names, names.indices)) { first, _ in first })
  }

  private func place(of table: String) -> Int {
    if let place = places[table] { return place }
    places[table] = told.count
    let keeper: WALHistory.Keeper? =
      table.isOfSQLite ? .sqlite : isOfCoreData && CoreDataStore.keepsHouse(table) ? .coreData : nil
    told.append(WALHistory.Table(name: table, keeper: keeper))
    return told.count - 1
  }

  /// - Returns: `nil` when only the encoding of the row differs.
  private func like(_ change: RowChange, _ pair: inout Pair) throws -> LikeChange? {
    guard case .changed(let old, let new) = change else {
      if case .added = change { return LikeChange(.insert) }
      return LikeChange(.delete)
    }
    pair.compared += 1
    guard pair.compared <= limits.comparedRows, let before = pair.old, let after = pair.new else {
      return LikeChange(.update)
    }
    let former = try before.values(of: old, keeping: limits.cellBytes)
    let values = try after.values(of: new, keeping: limits.cellBytes)
    guard let names = pair.formerColumns else {
      let changed = values.indices.filter { former[$0] != values[$0] }
      return changed.isEmpty
        ? nil
        : LikeChange(
          .update, columns: pair.shadow == nil ? changed : changed.filter { $0 > 0 }.map { $0 - 1 })
    }
    let changed = values.indices.filter { column in
      names[after.columns[column].name].map { former[$0] != values[column] } ?? true
    }
    return changed.isEmpty ? nil : LikeChange(.update, columns: changed)
  }

  private func add(
    _ change: RowChange, _ like: LikeChange, _ pair: Pair, to place: Int
  ) throws {
    let groups = told[place].groups
    var index = groups.firstIndex { $0.change == like }
    if index == nil, groups.count >= limits.groups, like.operation == .update {
      index = groups.firstIndex { $0.change == LikeChange(.update) }
      if index == nil { told[place].groups.append(LikeChanges(LikeChange(.update))) }
    } else if index == nil {
      told[place].groups.append(LikeChanges(like))
    }
    let group = index ?? told[place].groups.count - 1
    told[place].groups[group].count += 1
    guard showsRows, told[place].groups[group].rows.count < rowLimit else { return }
    told[place].groups[group].rows.append(try row(change, pair, place))
  }

  private func row(_ change: RowChange, _ pair: Pair, _ place: Int) throws -> ChangedRow {
    var row = ChangedRow()
    func cells(_ stored: StoredRow, _ layout: TableLayout?) throws -> [DatabaseValue] {
      let cells =
        try layout?.cells(of: stored, limit: limits.cellBytes)
        ?? stored.values(keeping: limits.cellBytes, columns: limits.columns).map {
          $0.shown(limit: limits.cellBytes, blobLimit: InspectionLimits().blobBytes)
        }
      nameColumns(layout, count: cells.count, pair, place)
      // In shadow tables the first value is the rowid.
      if layout?.isWithoutRowid == false { row.key = stored.rowid }
      return Array((pair.shadow == nil ? cells[...] : cells.dropFirst()).prefix(limits.columns))
    }
    switch change {
    case .added(let new): row.new = try cells(new, pair.new)
    case .removed(let old): row.old = try cells(old, pair.old)
    case .changed(let old, let new):
      row.old = try cells(old, pair.old)
      row.new = try cells(new, pair.new)
      if let names = pair.formerColumns, pair.old != nil, let after = pair.new {
        let former = row.old ?? []
        row.old = after.columns.prefix(limits.columns).map { column in
          names[column.name].flatMap { former.indices.contains($0) ? former[$0] : nil } ?? .null
        }
      }
    }
    return row
  }

  private func nameColumns(_ layout: TableLayout?, count: Int, _ pair: Pair, _ place: Int) {
    let names = layout?.columns.map(\.name) ?? (0..<count).map { "column \($0 + 1)" }
    let shown = Array((pair.shadow == nil ? names[...] : names.dropFirst()).prefix(limits.columns))
    if told[place].columns != shown { told[place].columns = shown }
  }

  private func note(_ change: RowChange, in table: String, _ layout: TableLayout?) {
    let place = touchedPlaces[table] ?? touched.count
    if place == touched.count {
      touchedPlaces[table] = place
      touched.append(.init(table: table, rowids: layout?.isWithoutRowid == false ? [:] : nil))
    }
    guard let kept = touched[place].rowids?.count else { return }
    guard kept < limits.rowids, rowidRoom > 0 else {
      rowidRoom += kept
      touched[place].rowids = nil
      return
    }
    rowidRoom -= 1
    switch change {
    case .added(let row): touched[place].rowids?[row.rowid] = .insert
    case .removed(let row): touched[place].rowids?[row.rowid] = .delete
    case .changed(_, let row): touched[place].rowids?[row.rowid] = .update
    }
  }

  // MARK: - The whole

  func finish(_ step: StateChanges, into transaction: inout WALHistory.Transaction) {
    for table in step.tables {
      guard let problem = table.problem, let entry = table.pair.latest else { continue }
      let place = place(of: virtual.owner(of: entry.name) ?? entry.name)
      told[place].problem = "Its rows are not all told: \(problem.text)."
    }
    if step.oldSchema != step.newSchema { noteDeclarations(step, &transaction) }
    transaction.tables = told.filter { table in
      table.fate != .kept || table.formerName != nil || !table.groups.isEmpty || table.problem != nil
        || !table.shadows.isEmpty
    }
    transaction.touched = touched
  }

  private func noteDeclarations(_ step: StateChanges, _ transaction: inout WALHistory.Transaction) {
    let shadows = VirtualTables(step.oldSchema + step.newSchema)
    for pair in TablePair.all(from: step.oldSchema, to: step.newSchema) {
      if shadows.owner(of: pair.name) == nil { note(pair) }
    }
    let (old, new) = (byName(step.oldSchema), byName(step.newSchema))
    let names = step.oldSchema + step.newSchema.filter { old[Declared($0)] == nil }
    for entry in names where !(entry.isTable && entry.rootPage > 0) && entry.sql != nil {
      let (before, after) = (old[Declared(entry)], new[Declared(entry)])
      guard before?.sql != after?.sql else { continue }
      if entry.isTable {
        note(TablePair(old: before, new: after))
      } else {
        transaction.declarations.append(
          SchemaChange(
            type: entry.type, name: entry.name,
            fate: before?.sql == nil ? .created : after?.sql == nil ? .dropped : .redefined,
            before: cut(before?.sql), after: cut(after?.sql)))
      }
    }
  }

  private struct Declared: Hashable {
    var type: String
    var name: String

    init(_ entry: SchemaEntry) { (type, name) = (entry.type, entry.name) }
  }

  private func byName(_ schema: [SchemaEntry]) -> [Declared: SchemaEntry] {
    Dictionary(schema.map { (Declared($0), $0) }) { first, _ in first }
  }

  private func note(_ pair: TablePair) {
    guard pair.isDefinedAnew, !pair.name.isOfSQLite else { return }
    let place = place(of: pair.name)
    told[place].fate = pair.fate
    if let old = pair.old, let new = pair.new, old.name != new.name { told[place].formerName = old.name }
    told[place].sql = cut(pair.new?.sql)
  }

  private func cut(_ sql: String?) -> String? {
    sql.map { shortened($0, to: limits.statementBytes) }
  }
}

extension TableChanges.Problem {
  var text: String {
    switch self {
    case .damaged(let damage): damage.text
    case .tooManyRows(let limit): "more than \(grouped(limit)) rows differ in one place"
    }
  }
}
