import ExhibitCSQLite
import ExhibitSQLite

extension TableLayout {
  /// Asks SQLite what an untrusted CREATE statement declares.
  ///
  /// - Throws: `TableLayout.Unknown`.
  init(_ entry: SchemaEntry, encoding: DatabaseState.Encoding) throws(Unknown) {
    guard entry.isTable else { throw .noTable }
    guard entry.rootPage > 0 else { throw .virtual }
    do {
      self = try DeclaredTable(entry, encoding: encoding).layout()
    } catch let unknown as Unknown {
      throw unknown
    } catch let error as SQLiteError {
      throw .notDeclared(error.message)
    } catch {
      throw .notDeclared("\(error)")
    }
  }
}

/// An in-memory database that finds out how one untrusted table stores its columns.
///
/// The statement is not run but written into the schema, where SQLite parses it as when opening a file; unknown
/// functions and collations do not matter. Two rows, written before, are then read: in one each stored value is its own
/// position, the other has only one value. The result of SELECT shows each column's position, the rowid, and the
/// defaults of missing columns.
private final class DeclaredTable {
  /// The first row holds this plus each value's position.
  private static let firstMark: Int64 = 1_000_000
  private static let rowidMark: Int64 = -5

  private let handle: SQLiteHandle
  private let entry: SchemaEntry
  private let encoding: DatabaseState.Encoding

  init(_ entry: SchemaEntry, encoding: DatabaseState.Encoding) throws(SQLiteError) {
    self.entry = entry
    self.encoding = encoding
    handle = try SQLiteConnection(
      path: ":memory:", named: entry.name,
      flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
      image: .linked
    ).handle
    try restrict()
  }

  private func restrict() throws(SQLiteError) {
    try handle.check(sqlite3_drop_modules(handle.pointer, nil), "restrict")
    let isHarmless = try SchemaFunctions(of: handle).suffice(for: (entry.sql ?? "").utf8)
    for (option, isOn) in [
      (SQLITE_DBCONFIG_DEFENSIVE, false), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, isHarmless),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, false), (SQLITE_DBCONFIG_ENABLE_VIEW, false),
      (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false),
    ] { try handle.configure(option, on: isOn) }
    for (limit, value) in [
      (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_EXPR_DEPTH, 200), (SQLITE_LIMIT_VDBE_OP, 25_000),
      (SQLITE_LIMIT_WORKER_THREADS, 0), (SQLITE_LIMIT_LENGTH, 16 << 20),
    ] { sqlite3_limit(handle.pointer, limit, Int32(value)) }
    // Raw values do not depend on collations.
    try handle.standInForCollations()
  }

  func layout() throws -> TableLayout {
    try handle.execute("PRAGMA encoding = '\(encoding.name)'")
    try handle.execute("CREATE TABLE x(c0)")
    try declare(entry.name, entry.tableName, entry.sql ?? "")
    let isWithoutRowid = try kind()
    let declared = try columns()
    let stored = declared.filter(\.isStored)
    let key = isWithoutRowid ? try keyOfRecords() : nil
    try writeRows(values: key?.all ?? stored.count, isWithoutRowid: isWithoutRowid)
    try declare(entry.name, entry.tableName, entry.sql ?? "")
    return TableLayout(
      name: entry.name, columns: try places(of: stored),
      virtualColumns: declared.filter { !$0.isStored }.map(\.name), isWithoutRowid: isWithoutRowid,
      primaryKey: stored.primaryKey, keyValues: key?.ordered, encoding: encoding)
  }

  private func declare(_ name: String, _ table: String, _ sql: String) throws(SQLiteError) {
    try handle.execute("PRAGMA writable_schema = ON")
    let update = try statement("UPDATE sqlite_schema SET name = ?, tbl_name = ?, sql = ?")
    for (index, text) in [name, table, sql].enumerated() { try update.bind(text, at: Int32(index + 1)) }
    _ = try update.step()
    try handle.execute("PRAGMA writable_schema = RESET")
  }

  private func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    guard let statement = try SQLiteStatement(sql, on: handle) else {
      throw SQLiteError(SQLITE_MISUSE, "run \(sql)", path: handle.path)
    }
    return statement
  }

  // MARK: - What is declared

  /// - Returns: True for a table `WITHOUT ROWID`.
  private func kind() throws -> Bool {
    let list = try statement("PRAGMA main.table_list(\(SQLText.text(entry.name)))")
    guard try list.step() else { throw TableLayout.Unknown.noTable }
    switch list.text(at: 2) {
    case "table", "shadow": return list.integer(at: 4) != 0
    case "virtual": throw TableLayout.Unknown.virtual
    default: throw TableLayout.Unknown.noTable
    }
  }

  private func columns() throws(SQLiteError) -> [DatabaseSchema.Column] {
    let list = try statement("PRAGMA main.table_xinfo(\(SQLText.text(entry.name)))")
    var columns: [DatabaseSchema.Column] = []
    while try list.step() {
      columns.append(
        DatabaseSchema.Column(
          list.text(at: 1) ?? "", type: list.text(at: 2) ?? "", keyPlace: Int(list.integer(at: 5)),
          hidden: Int(list.integer(at: 6))))
    }
    return columns
  }

  /// The numbers of values in a WITHOUT ROWID record and of its key.
  private func keyOfRecords() throws -> (all: Int, ordered: Int) {
    var index: String?
    let list = try statement("PRAGMA main.index_list(\(SQLText.text(entry.name)))")
    while try list.step() {
      if list.text(at: 3) == "pk" { index = list.text(at: 1) }
    }
    guard let index else { throw TableLayout.Unknown.noTable }
    let columns = try statement("PRAGMA main.index_xinfo(\(SQLText.text(index)))")
    var (all, ordered) = (0, 0)
    while try columns.step() {
      all += 1
      if columns.integer(at: 5) != 0 { ordered += 1 }
    }
    return (all, ordered)
  }

  // MARK: - Where it lies

  private func writeRows(values count: Int, isWithoutRowid: Bool) throws(SQLiteError) {
    let (key, kind) = isWithoutRowid ? (" PRIMARY KEY", " WITHOUT ROWID") : ("", "")
    try declare("x", "x", "CREATE TABLE x(c0)")
    try handle.execute("DROP TABLE x")
    try handle.execute("CREATE TABLE x(c0\(key))\(kind)")
    let columns = (0..<count).map { "c\($0)" }
    if isWithoutRowid {
      try handle.execute("INSERT INTO x VALUES (0)")
    } else {
      try handle.execute("INSERT INTO x(rowid, c0) VALUES (\(Self.rowidMark - 1), NULL)")
    }
    let others = columns.dropFirst().map { ", \($0)" }.joined()
    try declare("x", "x", "CREATE TABLE x(c0\(key)\(others))\(kind)")
    let names = (isWithoutRowid ? [] : ["rowid"]) + columns
    let marks = (isWithoutRowid ? [] : [Self.rowidMark]) + columns.indices.map { Self.firstMark + Int64($0) }
    let insert = try statement(
      "INSERT INTO x(\(names.joined(separator: ", "))) VALUES (\(marks.map { "\($0)" }.joined(separator: ", ")))"
    )
    _ = try insert.step()
  }

  private func places(of stored: [DatabaseSchema.Column]) throws -> [TableLayout.Column] {
    let names = stored.map { SQLText.name($0.name) }.joined(separator: ", ")
    let rows = try statement("SELECT \(names) FROM main.\(SQLText.name(entry.name)) NOT INDEXED")
    var columns = stored.map {
      TableLayout.Column(name: $0.name, type: $0.type, isGenerated: $0.isGenerated)
    }
    guard try rows.step() else { throw TableLayout.Unknown.noTable }
    for column in columns.indices { columns[column].missing = rows.value(at: Int32(column)) }
    guard try rows.step() else { throw TableLayout.Unknown.noTable }
    for column in columns.indices {
      switch rows.value(at: Int32(column)) {
      case .integer(Self.rowidMark): columns[column].missing = .null
      case .integer(let mark): columns[column].position = try place(ofMark: mark)
      case .real(let mark):
        guard let mark = Int64(exactly: mark) else { throw TableLayout.Unknown.noTable }
        columns[column].position = try place(ofMark: mark)
        columns[column].isReal = true
      default: throw TableLayout.Unknown.noTable
      }
    }
    return columns
  }

  /// A key can repeat columns.
  private static let mostPlaces: Int64 = 1 << 16

  private func place(ofMark mark: Int64) throws -> Int {
    let (place, isTooLarge) = mark.subtractingReportingOverflow(Self.firstMark)
    guard !isTooLarge, 0..<Self.mostPlaces ~= place else { throw TableLayout.Unknown.noTable }
    return Int(place)
  }
}

extension DatabaseState.Encoding {
  fileprivate var name: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16LittleEndian: "UTF-16le"
    case .utf16BigEndian: "UTF-16be"
    }
  }
}
