import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel

/// Knows the columns of a story's tables at any step, and which tables hold the data of virtual ones.
struct StoryLayouts: Sendable {
  /// By database: its captured files.
  private var schemas: [[CapturedSchema]]
  /// By database: the names of columns that refer to other tables.
  private var references: [Set<String>]
  /// Virtual tables that the story makes.
  private var virtual: Set<StoryTable> = []
  /// Columns as the story's own statements declare them.
  private var declared: [StoryTable: [Declared]] = [:]
  /// The columns that only name rows, of tables that change.
  private var keys: [StoryTable: Set<String>] = [:]
  /// Tables whose rows SQLite tells otherwise than they are.
  private var odd: [StoryTable: CapturedSchema.Table] = [:]

  private struct Declared {
    var place: Int
    var columns: [String]
  }

  init(_ paths: [String?], _ all: [CapturedSchema]) {
    let memory = all.filter { $0.source == nil }
    schemas = paths.map { path in path.map { path in all.filter { $0.source == path } } ?? memory }
    references = schemas.map { files in
      Set(files.flatMap(\.tables.values).flatMap(\.referringColumns))
    }
    for (database, schema) in schemas.enumerated() {
      for table in schema.lazy.flatMap(\.tables.values)
      where !table.hasRowid || table.stored.contains(where: \.isReal) {
        let place = StoryTable(database: database, name: table.name)
        if odd[place] == nil { odd[place] = table }
      }
    }
  }

  /// SQLite tells 0 as the key of rows WITHOUT ROWID, and an integer for a whole number in a REAL column.
  private func corrected(
    _ change: RecordedStory.Change, in table: StoryTable, reals: Bool
  ) -> RecordedStory.Change {
    guard let known = odd[table] else { return change }
    var change = change
    if !known.hasRowid { (change.key, change.newKey) = (nil, nil) }
    guard reals else { return change }
    let columns = max(change.old.count, change.new.count) == known.stored.count ? known.stored : known.columns
    for (column, declared) in columns.enumerated() where declared.isReal {
      change.old.makeReal(column)
      change.new.makeReal(column)
    }
    return change
  }

  /// Notes virtual tables: those that the steps make, and those that are written while only the data behind them
  /// changes.
  mutating func note(_ texts: [StatementText], _ databases: [Int], changed: Set<StoryTable>) {
    for (place, (text, database)) in zip(texts, databases).enumerated() {
      noteColumns(text, database, at: place)
      if case .create("TABLE", let name) = text.kind, text.isVirtual {
        virtual.insert(StoryTable(database: database, name: name))
      }
      guard text.isWrite, let target = text.target else { continue }
      let table = StoryTable(database: database, name: target)
      guard !virtual.contains(table), self.table(table) == nil, !changed.contains(table) else { continue }
      let hasData = VirtualTables.shadowEndings.contains {
        changed.contains(StoryTable(database: database, name: target + $0))
      }
      if hasData { virtual.insert(table) }
    }
    for table in changed {
      let owner = VirtualTables.possibleOwner(of: table.name)
      for name in [table.name, owner].compactMap(\.self) {
        let told = StoryTable(database: table.database, name: name)
        if keys[told] == nil { keys[told] = keyColumns(of: told) }
      }
    }
  }

  private mutating func noteColumns(_ text: StatementText, _ database: Int, at place: Int) {
    func note(_ name: String, _ columns: [String]) {
      declared[StoryTable(database: database, name: name), default: []].append(
        Declared(place: place, columns: columns))
    }
    switch text.kind {
    case .create("TABLE", let name) where !text.columns.isEmpty: note(name, text.columns)
    case .alter(let name):
      guard let last = declared[StoryTable(database: database, name: name)]?.last else { return }
      if let newName = text.newName { note(newName, last.columns) }
      if !text.columns.isEmpty { note(name, last.columns + text.columns) }
    default: break
    }
  }

  func captured(_ database: Int) -> [CapturedSchema] {
    schemas.indices.contains(database) ? schemas[database] : []
  }

  func table(_ table: StoryTable) -> CapturedSchema.Table? {
    for schema in captured(table.database) {
      if let found = schema.tables[table.name] { return found }
    }
    return nil
  }

  /// Columns that refer to other tables, in lower case.
  var allReferences: Set<String> { Set(references.joined().map { $0.lowercased() }) }

  /// The columns that only name rows: keys, references, and columns that are called like a reference elsewhere.
  func keyColumns(of table: StoryTable) -> Set<String> {
    keys[table] ?? (self.table(table)?.keyColumns ?? []).union(references[safe: table.database] ?? [])
  }

  /// Names for rows of so many values; numbers where nothing tells them.
  ///
  /// - Parameter place: The step's: a later one may have made the table anew.
  func columns(of table: StoryTable, count: Int, at place: Int = .max) -> [String] {
    let (known, declared) = (captured(table.database), declared[table] ?? [])
    let own = declared.last { $0.place < place && $0.columns.count == count }?.columns
    if let own, known.contains(where: { $0.tables[table.name]?.hasColumns(own) == true }) { return own }
    let captured = known.lazy.compactMap { $0.tables[table.name]?.columns(count: count) }
    let later = declared.filter { $0.place > place && $0.columns.count == count }.map(\.columns)
    return captured.first { !later.contains($0) } ?? own ?? captured.first ?? later.first
      ?? (0..<count).map { "column \($0 + 1)" }
  }

  /// True when the story makes it, so that its columns may change.
  func isMade(_ table: StoryTable) -> Bool { declared[table] != nil }

  /// The primary key in a row without rowid; `nil` where none is known.
  func key(of row: [DatabaseValue?], in table: StoryTable) -> [DatabaseValue?]? {
    guard let known = self.table(table), known.stored.count == row.count, !known.key.isEmpty else {
      return nil
    }
    return known.key.map { row[$0] }
  }

  /// The rowid, or else the primary key.
  func rowKey(_ rowid: Int64?, _ row: [DatabaseValue?], in table: StoryTable) -> RowKey? {
    if let rowid { return .rowid(rowid) }
    return key(of: row, in: table).flatMap(RowKey.init(values:))
  }

  func isVirtual(_ name: String) -> Bool {
    let name = name.lowercased()
    return virtual.contains { $0.name.lowercased() == name }
      || schemas.joined().contains { $0.declared[name]?.isVirtual == true }
  }

  private func isVirtual(_ table: StoryTable) -> Bool {
    virtual.contains(table) || self.table(table)?.isVirtual == true
  }

  /// The change as a reader is told it: data behind a virtual table as a row of that table.
  ///
  /// - Parameter reals: False where values are compared with those of a story whose tables nobody knows.
  /// - Returns: No change for what is no row, as in the index of a full-text table.
  func told(
    _ change: RecordedStory.Change, in database: Int, reals: Bool = true
  ) -> (table: StoryTable, change: RecordedStory.Change?, shadow: String?) {
    let table = StoryTable(database: database, name: change.table)
    guard let owner = VirtualTables.possibleOwner(of: change.table) else {
      return (table, corrected(change, in: table, reals: reals), nil)
    }
    let virtual = StoryTable(database: database, name: owner)
    guard isVirtual(virtual) else { return (table, corrected(change, in: table, reals: reals), nil) }
    guard change.table.hasSuffix("_content") else { return (virtual, nil, change.table) }
    // The first value is the key.
    var told = change
    told.table = owner
    told.old = Array(change.old.dropFirst())
    told.new = Array(change.new.dropFirst())
    return (virtual, told, change.table)
  }

  // MARK: - By table

  private static let mostChanges = 50

  /// The changes of one step by table, its own and those of triggers and cascades.
  func byTable(
    _ changes: [RecordedStory.Change], at place: Int, database: (RecordedStory.Change) -> Int
  ) -> (own: [StoryTableChanges], consequences: [StoryTableChanges]) {
    let consequences = changes.filter { $0.depth > 0 }
    let own = consequences.isEmpty ? changes : changes.filter { $0.depth == 0 }
    return (
      tables(of: own, place, database), consequences.isEmpty ? [] : tables(of: consequences, place, database)
    )
  }

  private func tables(
    of changes: [RecordedStory.Change], _ place: Int, _ database: (RecordedStory.Change) -> Int
  ) -> [StoryTableChanges] {
    var tables: [StoryTableChanges] = []
    var places: [StoryTable: Int] = [:]
    for change in changes {
      let told = self.told(change, in: database(change))
      let index = places[told.table] ?? tables.count
      if index == tables.count {
        places[told.table] = index
        tables.append(.init(table: told.table, columns: [], changes: []))
      }
      if let shadow = told.shadow { tables[index].shadows[shadow, default: 0] += 1 }
      guard let change = told.change else { continue }
      if tables[index].changes.isEmpty {
        tables[index].columns = columns(
          of: told.table, count: max(change.old.count, change.new.count), at: place)
      }
      if tables[index].changes.count < Self.mostChanges {
        tables[index].changes.append(change)
      } else {
        tables[index].omitted += 1
      }
    }
    return tables
  }
}

extension [DatabaseValue?] {
  fileprivate mutating func makeReal(_ column: Int) {
    if case .integer(let number)?? = self[safe: column] { self[column] = .real(Double(number)) }
  }
}
