import ExhibitSQLite
import ExhibitSystem
import ReportModel

/// Compares a captured database with the state its test started from.
///
/// Both files are untrusted, so pages are read directly, without those that are equal in both; SQLite only tells how a
/// table's columns lie in its records. Rows are matched by primary key, or by rowid in tables without one. Renamed and
/// altered tables are compared over their common columns, virtual tables through their module. Virtual generated
/// columns are left out.
///
/// - Parameters:
///   - path: The database at the failure.
///   - baseline: The database at the start.
///   - rows: True when values may be shown.
package func compareDatabases(
  _ path: String, since baseline: String, rows: Bool, limits: InspectionLimits = InspectionLimits()
) -> DatabaseChanges {
  let clock = ThreadDeadline(seconds: limits.totalTime)
  do {
    let new = try ComparedDatabase(path, clock: clock, limits: limits)
    let old = try ComparedDatabase(baseline, clock: clock, limits: limits)
    let comparison = DatabaseComparison(old, new, clock, showsRows: rows, limits: limits)
    comparison.compare()
    var changes = comparison.result()
    if rows { changes.reading = ValueReading(new, of: path, limits) }
    return changes
  } catch let error as ComparedDatabase.Unreadable {
    return DatabaseChanges(problems: [error.sentence])
  } catch is Overdue {
    return DatabaseChanges(problems: ["The files could not be compared in time."], isCutByTime: true)
  } catch {
    return DatabaseChanges(problems: ["The files cannot be compared: \(error)."])
  }
}

private final class DatabaseComparison {
  private let (old, new): (ComparedDatabase, ComparedDatabase)
  private let clock: ThreadDeadline
  private let showsRows: Bool
  private let limits: InspectionLimits
  private let pairs: SchemaPairs
  private let encodings: (old: DatabaseState.Encoding, new: DatabaseState.Encoding)
  /// By the root pages of both states.
  private var tables: [UInt64: ComparedTable] = [:]
  private var unknown: [UInt64: String] = [:]
  /// Shadow tables by their virtual table.
  private let shadows: [SchemaName: [TablePair]]
  private var problems: [String] = []
  private var isCutByTime = false

  init(
    _ old: ComparedDatabase, _ new: ComparedDatabase, _ clock: ThreadDeadline, showsRows: Bool,
    limits: InspectionLimits
  ) {
    (self.old, self.new) = (old, new)
    self.clock = clock
    self.showsRows = showsRows
    self.limits = limits
    encodings = (old.state.encoding, new.state.encoding)
    pairs = SchemaPairs(old, new)
    var shadows: [SchemaName: [TablePair]] = [:]
    for pair in pairs.tables {
      if let owner = pair.owner(old, new) { shadows[owner, default: []].append(pair) }
    }
    self.shadows = shadows
  }

  // MARK: - Reading

  func compare() {
    do {
      for pair in pairs.tables where pair.isDefinedAnew {
        try clock.check()
        _ = table(pair)
      }
      // Equal bytes are then different texts.
      let isTold = encodings.old == encodings.new
      let changed = isTold ? try ChangedPages.between(old.pages, new.pages) : .all
      func read(_ body: (ComparedTable, RowChange) throws -> Void) throws {
        if isTold { try readChanges(changed, body) }
        try readAll(body)
      }
      try read { try $0.take($1) }
      for table in tables.values {
        table.finish()
        try forgetNumbers(of: table)
      }
      guard tables.values.contains(where: \.needsSecondReading) else { return }
      try read { if $0.needsSecondReading { try $0.take($1) } }
      for table in tables.values { try noteDamage(on: table) { try table.finishAgain() } }
    } catch is Overdue {
      isCutByTime = true
      problems.append("Not all could be compared in time.")
    } catch {
      problems.append("Not all could be compared: \((error as? DamagedPage)?.text ?? "\(error)").")
    }
  }

  /// Drops changes of rowids that only `VACUUM` made.
  private func forgetNumbers(of table: ComparedTable) throws {
    guard table.mayBeNumberedAnew else { return }
    try noteDamage(on: table) {
      if try table.rows.areNumberedAnew(table.pair, old.state, new.state) { table.forgetChanges() }
    }
  }

  private func noteDamage(on table: ComparedTable, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let damage as DamagedPage {
      table.note("Not all of its rows could be compared: \(damage.text).")
    }
  }

  private func table(_ pair: TablePair) -> ComparedTable? {
    if let table = tables[pair.roots] { return table }
    guard unknown[pair.roots] == nil else { return nil }
    do {
      let table = try ComparedTable(
        pair, encodings: encodings, shownAs: virtualTable(of: pair), showsRows: showsRows, limits: limits)
      tables[pair.roots] = table
      return table
    } catch TableLayout.Unknown.notDeclared(let words) {
      unknown[pair.roots] = "Its rows are not compared: SQLite does not know its columns (\(words))."
    } catch {
      unknown[pair.roots] = "Its rows are not compared: it is declared as no table with rows of its own."
    }
    return nil
  }

  /// Reads the changes in trees with different pages.
  private func readChanges(
    _ changed: ChangedPages, _ body: (ComparedTable, RowChange) throws -> Void
  ) throws {
    let difference = try PageDifference(old.state)
    var rows = 0
    let changes = try difference.advance(
      to: new.state, changed: changed, pairing: { _, _ in self.pairs.tables },
      keyColumns: { entry in
        self.pairs.tables.first { $0.latest == entry }.flatMap { self.table($0)?.keyValues }
      }
    ) { pair, change in
      rows += 1
      if rows % 1024 == 0 { try self.clock.check() }
      guard let table = self.table(pair), !table.needsAllRows else { return }
      try body(table, change)
    }
    for changes in changes.tables {
      guard let problem = changes.problem else { continue }
      table(changes.pair)?.note(problem.sentence)
    }
  }

  /// Reads all rows of tables where equal bytes can be different rows.
  private func readAll(_ body: (ComparedTable, RowChange) throws -> Void) throws {
    for pair in pairs.tables {
      guard let table = encodings.old == encodings.new ? tables[pair.roots] : table(pair),
        table.needsAllRows || encodings.old != encodings.new
      else { continue }
      try noteDamage(on: table) {
        try readAll(of: pair, hasRowids: table.hasRowids) { try body(table, $0) }
      }
    }
  }

  private func readAll(of pair: TablePair, hasRowids: Bool, _ body: (RowChange) throws -> Void) throws {
    guard !hasRowids else {
      return try forEachRowPair(
        of: pair.old?.rootPage, in: old.state, and: pair.new?.rootPage, in: new.state, body)
    }
    for (entry, state, change) in [
      (pair.old, old.state, RowChange.removed), (pair.new, new.state, RowChange.added),
    ] {
      guard let entry else { continue }
      try state.forEachRow(of: entry.rootPage) {
        try body(change($0))
        return true
      }
    }
  }

  // MARK: - Virtual tables

  private func virtualTable(of pair: TablePair) -> (name: String, columns: [String])? {
    guard let owner = pair.owner(old, new), SchemaName(pair.name).hasSuffix("_content"),
      let virtual = pairs.virtualTables.first(where: { SchemaName($0.name) == owner })
    else { return nil }
    return (virtual.name, (virtual.new == nil ? old : new).columns(ofVirtual: virtual.name))
  }

  private func virtualResult(_ virtual: TablePair, _ housekeeping: inout [String]) -> DatabaseChanges.Table {
    let shadows = shadows[SchemaName(virtual.name)] ?? []
    let content = shadows.first { virtualTable(of: $0) != nil }
    let differing = shadows.filter { $0 != content && tableResult($0)?.hasSameRows == false }
    var table = content.flatMap { tableResult($0) } ?? DatabaseChanges.Table(name: virtual.name)
    (table.name, table.isVirtual) = (virtual.name, true)
    (table.formerName, table.fate) = (virtual.formerName, virtual.formerName == nil ? virtual.fate : .kept)
    if content == nil, !differing.isEmpty || virtual.fate == .created || virtual.fate == .dropped {
      VirtualRows(
        pair: virtual, old: old.connection, new: new.connection, showsRows: showsRows, limits: limits
      )
      .compare(into: &table)
    } else if table.isSame {
      housekeeping += differing.map(\.name)
    }
    return table
  }

  // MARK: - The result

  private func tableResult(_ pair: TablePair) -> DatabaseChanges.Table? {
    if let words = unknown[pair.roots] {
      var table = DatabaseChanges.Table(
        name: pair.name, fate: pair.fate, added: nil, removed: nil, changed: nil)
      table.problem = words
      return table
    }
    return tables[pair.roots]?.result()
  }

  func result() -> DatabaseChanges {
    var changes = DatabaseChanges(schema: pairs.otherObjects, problems: problems, isCutByTime: isCutByTime)
    let (all, hasMore) = shownPairs()
    let isOfCoreData = CoreDataStore.isStore(all.lazy.map(\.name))
    for pair in all {
      var table = pair.isVirtual ? virtualResult(pair, &changes.housekeeping) : tableResult(pair)
      table?.isHousekeeping = isOfCoreData && CoreDataStore.keepsHouse(pair.name)
      if let table, !table.isSame { changes.tables.append(table) } else { changes.unchanged += 1 }
    }
    changes.housekeeping += pairs.tables.filter {
      $0.name.isOfSQLite && tableResult($0)?.isSame == false
    }.map(\.name)
    if hasMore {
      changes.problems.append("Only the first \(counted(limits.schemaObjects, "table")) are compared.")
    }
    return changes
  }

  /// The user's tables in the order of the captured schema, then dropped ones.
  private func shownPairs() -> (pairs: [TablePair], hasMore: Bool) {
    let own = pairs.tables.filter { !$0.name.isOfSQLite && $0.owner(old, new) == nil }
    let places = Dictionary(new.schema.enumerated().map { ($1, $0) }) { first, _ in first }
    let place = { (pair: TablePair) in pair.new.flatMap { places[$0] } ?? .max }
    let sorted = (own + pairs.virtualTables).sorted { place($0) < place($1) }
    return (Array(sorted.prefix(limits.schemaObjects)), sorted.count > limits.schemaObjects)
  }
}

extension TablePair {
  fileprivate var roots: UInt64 { UInt64(old?.rootPage ?? 0) << 32 | UInt64(new?.rootPage ?? 0) }

  fileprivate func owner(_ before: ComparedDatabase, _ after: ComparedDatabase) -> SchemaName? {
    new.flatMap { after.shadows[SchemaName($0.name)] } ?? old.flatMap { before.shadows[SchemaName($0.name)] }
  }

  fileprivate var isVirtual: Bool { latest?.isVirtualTable ?? false }
}

extension TableChanges.Problem {
  fileprivate var sentence: String {
    switch self {
    case .damaged(let damage): "Not all of its rows could be compared: \(damage.text)."
    case .tooManyRows(let limit):
      "More than \(grouped(limit)) of its rows differ, and the others were not compared."
    }
  }
}
