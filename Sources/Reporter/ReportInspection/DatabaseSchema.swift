package import ExhibitSQLite

/// What SQLite says of a database's tables and triggers, read once.
package struct DatabaseSchema: Sendable, Equatable {
  /// Names of the rowid, unless a column has them.
  package static let rowidNames = ["rowid", "_rowid_", "oid"]

  package struct Column: Sendable, Equatable {
    package let name: String
    /// As declared, possibly empty.
    package let type: String
    let affinity: ColumnAffinity
    /// Its position in the primary key, from 1, or 0.
    let keyPlace: Int
    /// As in `PRAGMA table_xinfo`: 1 for a hidden column of a module, 2 for a virtual and 3 for a stored generated
    /// column.
    let hidden: Int
    fileprivate(set) var refers = false

    package init(_ name: String, type: String = "", keyPlace: Int = 0, hidden: Int = 0) {
      (self.name, self.type, self.keyPlace, self.hidden) = (name, type, keyPlace, hidden)
      affinity = ColumnAffinity(type)
    }

    var isKey: Bool { keyPlace > 0 }
    package var isGenerated: Bool { hidden > 1 }
    package var isStored: Bool { hidden != 2 }
    /// True when whole numbers are stored for reals.
    package var isReal: Bool { affinity == .real }
    /// True for TEXT affinity, which converts numbers to texts.
    package var isText: Bool { affinity == .text }
    /// True for an affinity that converts numeric texts to numbers.
    package var isNumeric: Bool { affinity == .integer || affinity == .real || affinity == .numeric }
  }

  package struct ForeignKey: Sendable, Equatable {
    let id: Int
    package fileprivate(set) var columns: [Int] = []
    package let table: String
    /// The referenced columns; empty if the parent has no primary key.
    package fileprivate(set) var parents: [String] = []

    /// True when each column has a referenced one.
    package var isMatched: Bool { parents.count == columns.count }
  }

  package struct Index: Sendable, Equatable {
    package let name: String
    package let isUnique: Bool
    package let isPartial: Bool
    /// True for the automatic index of a primary key.
    let isOfKey: Bool
    package internal(set) var columns: [Int] = []
    /// A collation that SQLite lacks.
    fileprivate(set) var appCollation: String?
  }

  package struct Trigger: Sendable, Equatable {
    package let name: String
    let table: String
    package let sql: String
  }

  package struct Table: Sendable, Equatable {
    package enum Kind: String, Sendable {
      case ordinary, virtual
      /// Stores a virtual table's data.
      case shadow
    }

    package let name: String
    package let kind: Kind
    package let hasRowid: Bool
    package private(set) var columns: [Column]
    package let stored: [Column]
    /// The primary key, as indices into `stored`.
    package let key: [Int]
    /// True for an `INTEGER PRIMARY KEY`.
    package let isKeyRowid: Bool
    /// A usable name of the rowid, if any.
    package let rowid: String?
    package fileprivate(set) var foreignKeys: [ForeignKey]
    /// Generated columns that need functions of the app.
    package fileprivate(set) var unread: [String] = []
    package let indexes: [Index]
    fileprivate(set) var failure: SQLiteError?

    package init(
      _ name: String, kind: Kind = .ordinary, hasRowid: Bool = true, columns all: [Column] = [],
      indexes: [Index] = [], foreignKeys: [ForeignKey] = []
    ) {
      (self.name, self.kind, self.hasRowid) = (name, kind, hasRowid)
      (self.indexes, self.foreignKeys) = (indexes, foreignKeys)
      columns = all.filter { $0.hidden != 1 }
      stored = columns.filter(\.isStored)
      key = stored.primaryKey
      let only = key.count == 1 && kind != .virtual ? stored[key[0]] : nil
      // `INTEGER PRIMARY KEY DESC` is no rowid and has an index.
      isKeyRowid =
        hasRowid && only?.type.uppercased() == "INTEGER" && !indexes.contains(where: \.isOfKey)
      let names = Set(all.map { $0.name.lowercased() })
      let free = DatabaseSchema.rowidNames.first { !names.contains($0) }
      rowid = hasRowid ? free ?? (isKeyRowid ? only.map { SQLText.name($0.name) } : nil) : nil
      for column in foreignKeys.flatMap(\.columns) { columns[column].refers = true }
    }

    package var selection: String {
      unread.isEmpty ? "*" : columns.map { SQLText.name($0.name) }.joined(separator: ", ")
    }

    package var isVirtual: Bool { kind == .virtual }
    /// True when the rowid is no column.
    package var hasOwnRowid: Bool { hasRowid && !isKeyRowid }
    package var keyNames: [String] { key.map { stored[$0].name } }
  }

  /// Tables by name, without views.
  package private(set) var tables: [String: Table] = [:]
  /// All shadow tables with their virtual tables.
  private(set) var shadows: [SchemaName: SchemaName] = [:]
  package private(set) var triggers: [Trigger] = []
  private(set) var triggersFailure: SQLiteError?
  private(set) var failure: SQLiteError?

  package init(_ tables: [Table] = [], triggers: [Trigger] = []) {
    self.tables = Dictionary(tables.map { ($0.name, $0) }) { first, _ in first }
    self.triggers = triggers
  }

  /// The table that a name means in SQL.
  package subscript(name: String) -> Table? {
    tables[name] ?? tables.values.first { foldedName($0.name) == foldedName(name) }
  }

  package func read(_ name: String) throws(SQLiteError) -> Table {
    let table = tables[name] ?? Table(name)
    if let failure = table.failure { throw failure }
    return table
  }
}

extension [DatabaseSchema.Column] {
  package var primaryKey: [Int] {
    indices.filter { self[$0].isKey }.sorted { self[$0].keyPlace < self[$1].keyPlace }
  }
}

/// The type affinity of a column.
///
/// Source: https://www.sqlite.org/datatype3.html#determination_of_column_affinity
enum ColumnAffinity {
  case integer, text, blob, real, numeric

  init(_ type: String) {
    let type = type.uppercased()
    func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
    if has("INT") {
      self = .integer
    } else if has("CHAR", "CLOB", "TEXT") {
      self = .text
    } else if type.isEmpty || has("BLOB") {
      self = .blob
    } else {
      self = has("REAL", "FLOA", "DOUB") ? .real : .numeric
    }
  }

  var isNumber: Bool { self == .integer || self == .real || self == .numeric }
}

// MARK: - Reading

extension DatabaseSchema {
  /// Asks SQLite about each table separately, so that an unreadable one does not hide others.
  ///
  /// - Parameter leading: Tables to read first.
  package init(of connection: InspectionConnection, leading: [String], limits: InspectionLimits) {
    connection.allow(steps: limits.tableSteps)
    var listed: [String: Table] = [:]
    do {
      try connection.list(into: &listed)
    } catch {
      failure = error
    }
    let virtual = Set(listed.values.filter(\.isVirtual).map { SchemaName($0.name) })
    for table in listed.values where table.kind == .shadow {
      let name = SchemaName(table.name)
      if let owner = name.beforeUnderscore, virtual.contains(owner) { shadows[name] = owner }
    }
    let others = Set(listed.keys).subtracting(leading).sorted()
    for name in (leading + others).prefix(limits.schemaObjects) {
      connection.allow(steps: limits.tableSteps)
      var table = listed[name] ?? Table(name)
      do {
        table = try connection.declared(table)
      } catch {
        table.failure = error
      }
      tables[name] = table
    }
    let keys = Dictionary(tables.values.map { (foldedName($0.name), $0.keyNames) }) { first, _ in first }
    for (name, table) in tables {
      for (index, key) in table.foreignKeys.enumerated() where key.parents.isEmpty {
        tables[name]?.foreignKeys[index].parents = keys[foldedName(key.table)] ?? []
      }
    }
    connection.allow(steps: limits.tableSteps)
    do {
      try readTriggers(connection, limits)
    } catch {
      triggersFailure = error
    }
  }

  private mutating func readTriggers(
    _ connection: InspectionConnection, _ limits: InspectionLimits
  ) throws(SQLiteError) {
    let list = try connection.prepare(
      "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
    while triggers.count <= limits.schemaObjects, try list.step() {
      triggers.append(
        Trigger(
          name: list.text(at: 0, limit: 1000) ?? "", table: list.text(at: 1, limit: 1000) ?? "",
          sql: list.text(at: 2, limit: limits.statementBytes) ?? ""))
    }
  }
}

extension InspectionConnection {
  fileprivate func list(into tables: inout [String: DatabaseSchema.Table]) throws(SQLiteError) {
    let list = try prepareForAllTables("PRAGMA main.table_list")
    while try list.step() {
      guard let name = list.text(at: 1), let type = list.text(at: 2), type != "view" else { continue }
      tables[name] = .init(
        name, kind: .init(rawValue: type) ?? .ordinary, hasRowid: list.integer(at: 4) == 0)
    }
  }

  fileprivate func declared(_ table: DatabaseSchema.Table) throws(SQLiteError) -> DatabaseSchema.Table {
    func rows(
      _ pragma: String, _ name: String, _ take: (InspectionStatement) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
      let statement = try prepare("PRAGMA main.\(pragma)(\(SQLText.text(name)))")
      while try statement.step() { try take(statement) }
    }
    var columns: [DatabaseSchema.Column] = []
    try rows("table_xinfo", table.name) { row throws(SQLiteError) in
      columns.append(
        .init(
          row.text(at: 1) ?? "", type: row.text(at: 2) ?? "", keyPlace: row.integer(at: 5),
          hidden: row.integer(at: 6)))
    }
    let unread = unread(columns, of: table.name)
    let places = columns.indices.filter { !unread.contains(columns[$0].name) }
    columns = places.map { columns[$0] }
    var indexes: [DatabaseSchema.Index] = []
    try rows("index_list", table.name) { row throws(SQLiteError) in
      var index = DatabaseSchema.Index(
        name: row.text(at: 1) ?? "", isUnique: row.integer(at: 2) == 1, isPartial: row.integer(at: 4) == 1,
        isOfKey: row.text(at: 3) == "pk")
      try rows("index_xinfo", index.name) { row throws(SQLiteError) in
        guard row.integer(at: 5) != 0 else { return }
        let column = row.integer(at: 1)
        index.columns.append(column < 0 ? column : places.firstIndex(of: column) ?? -2)
        if let name = row.text(at: 4), !collations.contains(foldedName(name)) {
          index.appCollation = index.appCollation ?? name
        }
      }
      indexes.append(index)
    }
    var keys: [DatabaseSchema.ForeignKey] = []
    try rows("foreign_key_list", table.name) { row throws(SQLiteError) in
      guard let column = columns.firstIndex(where: { $0.name == row.text(at: 3) }) else { return }
      let id = row.integer(at: 0)
      if keys.last?.id != id { keys.append(.init(id: id, table: row.text(at: 2) ?? "")) }
      keys[keys.count - 1].columns.append(column)
      if let parent = row.text(at: 4) { keys[keys.count - 1].parents.append(parent) }
    }
    var declared = DatabaseSchema.Table(
      table.name, kind: table.kind, hasRowid: table.hasRowid, columns: columns, indexes: indexes.reversed(),
      foreignKeys: keys.sorted { $0.id < $1.id })
    declared.unread = unread
    return declared
  }

  private func unread(_ columns: [DatabaseSchema.Column], of table: String) -> [String] {
    func lacksFunction(_ columns: [String]) -> Bool {
      do {
        let list = columns.map(SQLText.name).joined(separator: ", ")
        _ = try prepare("SELECT \(list) FROM main.\(SQLText.name(table))")
        return false
      } catch {
        return error.unknownFunction != nil
      }
    }
    let computed = columns.filter { !$0.isStored }.map(\.name)
    return computed.isEmpty || !lacksFunction(computed) ? [] : computed.filter { lacksFunction([$0]) }
  }
}

/// SQLite's own.
///
/// Source: https://www.sqlite.org/datatype3.html#collating_sequences
private let collations: Set = ["binary", "nocase", "rtrim"]
