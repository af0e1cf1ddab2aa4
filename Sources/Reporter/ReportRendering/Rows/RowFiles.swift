import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ReportInspection
import ReportModel

/// The format of `data/rows`: the rows of a captured database as classic scripts, because a page on disk may load
/// nothing else.
///
/// `ID/head.js` calls `exhibit.rows(id, head)` with the tables and where their rows are, `ID/N.js` calls
/// `exhibit.rows(id, N, parts)` with rows of some tables, each part `[table, first, rows]`. docs/rows-data.md describes
/// them. The file is untrusted: see `InspectionConnection`.
struct RowFiles: ~Copyable {
  /// The version of the format, which changes when a script of another one could not read it.
  static let format = 1
  /// Bytes behind which a file ends.
  static let fileBytes = 256 * 1024

  private let id: String
  private let take: TakeFile
  private let limits = InspectionLimits()
  /// Bytes that all rows may take.
  private let room: Int
  private var text = JSONText(.script)
  private var file = 0
  /// Bytes of the files that are written.
  private(set) var bytes = 0
  private let schema: DatabaseSchema
  private let coreData: CoreDataStore?
  /// The columns of a store that refer to rows of another table, by table.
  private let references: [String: [CoreDataStore.Reference]]
  private var tables: [WrittenTable]

  /// One table, and what of its rows is in which file.
  private struct WrittenTable {
    var table: DatabaseInspection.Table
    var shape: DatabaseSchema.Table
    var parts: [(file: Int, first: Int, count: Int)] = []
    var problem: String?
    var isCut = false

    var written: Int { parts.reduce(0) { $0 + $1.count } }
  }

  /// - Parameters:
  ///   - id: The database's: letters and digits.
  ///   - inspection: The database's inspection.
  ///   - room: Bytes that all rows may take.
  init(_ id: String, _ inspection: DatabaseInspection, room: Int, take: @escaping TakeFile) {
    (self.id, self.room, self.take) = (id, room, take)
    (schema, coreData) = (inspection.schema, inspection.coreData)
    references = Dictionary(grouping: coreData?.references(in: schema) ?? [], by: \.table)
    tables = inspection.tables.map { WrittenTable(table: $0, shape: .init($0.name)) }
  }

  /// Writes the head and as many rows as there is room for.
  ///
  /// - Parameters:
  ///   - path: The database's file.
  ///   - reason: The limit that keeps the rest away, for the end of a sentence.
  ///   - changed: Folded names of the tables that get their room first, with those that they refer to or that refer
  ///     to them.
  /// - Throws: The errors of `take`.
  mutating func write(_ path: String, because reason: String, changed: Set<String>) throws {
    do {
      let connection = try InspectionConnection(path: path, limits: limits)
      for index in tables.indices {
        do throws(SQLiteError) {
          tables[index].shape = try schema.read(tables[index].table.name)
        } catch {
          tables[index].problem = "Its columns cannot be read: \(error.message)."
        }
      }
      for index in order(changed) where tables[index].problem == nil { try writeRows(of: index, connection) }
      try endFile()
    } catch let error as SQLiteError {
      for index in tables.indices { tables[index].problem = "The file cannot be read: \(error.message)." }
    }
    try take(ReportFile(path: "data/rows/\(id)/head.js", contents: head(because: reason)))
  }

  private func order(_ changed: Set<String>) -> [Int] {
    var leading = changed
    for table in tables {
      let parents = table.shape.foreignKeys.filter(\.isMatched).map { foldedName($0.table) }
      if changed.contains(foldedName(table.table.name)) { leading.formUnion(parents) }
      if !changed.isDisjoint(with: parents) { leading.insert(foldedName(table.table.name)) }
    }
    let ranks = tables.map { Self.rank($0, leading: leading) }
    return tables.indices.sorted { ranks[$0] < ranks[$1] }
  }

  /// The rank by which a table gets its room: first those that matter to the test, and of these the small ones.
  ///
  /// - Parameter leading: Folded names of the tables that the test changed, and of those that they refer to or that
  ///   refer to them.
  private static func rank(
    _ told: WrittenTable, leading: Set<String>
  ) -> (kind: Int, values: Int, name: String) {
    let table = told.table
    let kind =
      switch table.kind {
      case .shadow: 3
      case _ where table.name.isOfSQLite: 2
      case _ where leading.contains(foldedName(table.name)): 0
      case .ordinary, .virtual: 1
      }
    return (kind, (table.rowCount ?? .max / 4096) &* max(1, told.shape.columns.count), table.name)
  }

  // MARK: - Rows

  private mutating func writeRows(of index: Int, _ connection: InspectionConnection) throws {
    guard tables[index].table.rowCount != 0 else { return }
    guard bytes + text.count + 100 < room else {
      tables[index].isCut = true
      return
    }
    connection.allow(steps: limits.tableSteps)
    var (first, count) = (0, 0)
    var start = beginPart(of: index, first)
    do {
      let shape = tables[index].shape
      let statement = try connection.prepare(shape.query)
      while try statement.step() {
        let before = text.count
        append(statement, shape)
        if bytes + text.count + 20 > room {
          text.remove(behind: before)
          tables[index].isCut = true
          break
        }
        count += 1
        guard text.count >= Self.fileBytes else { continue }
        endPart(of: index, first, count, start)
        try endFile()
        (first, count) = (first + count, 0)
        start = beginPart(of: index, first)
      }
    } catch let error as SQLiteError {
      tables[index].problem =
        connection.exceeded.map { "Not all of its rows could be read \($0.words)." }
        ?? "Not all of its rows could be read: \(error.message)."
    }
    endPart(of: index, first, count, start)
  }

  private mutating func append(_ statement: InspectionStatement, _ shape: DatabaseSchema.Table) {
    text.array { text in
      var column: Int32 = 0
      if shape.hiddenRowid != nil {
        RowText.append(statement, 0, isReal: false, to: &text)
        column = 1
      }
      for each in shape.columns {
        RowText.append(statement, column, isReal: each.isReal, to: &text)
        column += 1
      }
    }
  }

  // MARK: - Files

  /// - Returns: The length of the text before it.
  private mutating func beginPart(of table: Int, _ first: Int) -> Int {
    if text.count == 0 { text.open(nil, UInt8(ascii: "[")) }
    let start = text.count
    text.open(nil, UInt8(ascii: "["))
    text.plain(String(table))
    text.plain(String(first))
    text.open(nil, UInt8(ascii: "["))
    return start
  }

  private mutating func endPart(of table: Int, _ first: Int, _ count: Int, _ start: Int) {
    guard count > 0 else { return text.remove(behind: start) }
    text.close(UInt8(ascii: "]"))
    text.close(UInt8(ascii: "]"))
    tables[table].parts.append((file, first, count))
  }

  private mutating func endFile() throws {
    guard tables.contains(where: { $0.parts.last?.file == file }) else {
      text = JSONText(.script)
      return
    }
    text.close(UInt8(ascii: "]"))
    let script = DataScript(
      path: "data/rows/\(id)/\(file).js", function: "rows", arguments: "\"\(id)\",\(file)")
    bytes += text.count
    try take(text.withBytes(script.file(json:)))
    file += 1
    text = JSONText(.script)
  }

  private func head(because reason: String) -> [UInt8] {
    var head = JSONText(.script)
    head.append("exhibit.rows(\"\(id)\",")
    head.object { json in
      json.member("format", Self.format)
      let names = coreData?.names ?? []
      if !names.isEmpty {
        json.array("entities", names) { json, entity in
          json.array { list in
            list.element(Int(entity.number))
            list.element(entity.name)
          }
        }
      }
      json.array("tables", tables) { json, table in
        json.startLine()
        append(table, because: reason, to: &json)
      }
    }
    head.append(");\n")
    return head.withBytes { Array($0) }
  }

  private func append(_ table: WrittenTable, because reason: String, to head: inout JSONText) {
    let (shape, told) = (table.shape, table.table)
    head.object { json in
      json.member("name", told.name)
      json.member("kind", told.kind.rawValue)
      json.name("rows")
      json.append(told.rowCount.map(String.init) ?? "null")
      json.member("rowid", shape.hiddenRowid != nil)
      json.array("key", shape.identity) { $0.element($1) }
      json.array("columns", shape.columns) { json, column in
        json.array { list in
          list.element(column.name)
          list.element(column.type)
          let namesEntity = coreData != nil && CoreDataStore.namesEntity(column.name, of: told.name)
          list.element((column.isReal ? 1 : 0) | (column.isGenerated ? 2 : 0) | (namesEntity ? 4 : 0))
        }
      }
      append(shape.foreignKeys.filter(\.isMatched), references[told.name] ?? [], of: shape, to: &json)
      json.array("parts", table.parts) { json, part in
        json.array(nil, [part.file, part.first, part.count]) { $0.element($1) }
      }
      json.member("note", sentence(on: table, because: reason))
      json.member("sql", told.sql)
    }
  }

  private func append(
    _ keys: [DatabaseSchema.ForeignKey], _ references: [CoreDataStore.Reference],
    of shape: DatabaseSchema.Table,
    to json: inout JSONText
  ) {
    let declared = keys.map { (columns: $0.columns, table: $0.table, parents: $0.parents) }
    let others = references.compactMap { reference in
      shape.columns.firstIndex { $0.name == reference.column }.map {
        (columns: [$0], table: reference.parent, parents: ["Z_PK"])
      }
    }
    guard !declared.isEmpty || !others.isEmpty else { return }
    json.array("foreignKeys", declared + others) { json, key in
      json.array { list in
        list.array(nil, key.columns) { $0.element($1) }
        list.element(key.table)
        list.array(nil, key.parents) { $0.element($1) }
      }
    }
  }

  /// The sentence on which rows are not here, and why.
  private func sentence(on table: WrittenTable, because reason: String) -> String? {
    if let problem = table.problem { return problem }
    guard table.isCut else { return nil }
    let all = table.table.rowCount.map { " of \(counted($0, "row"))" } ?? " rows"
    return "\(grouped(table.written))\(all) are here; the rest is beyond \(reason)."
  }
}

extension DatabaseSchema.Table {
  /// The indices of the columns that name a row; empty where the rowid does, and is no column.
  fileprivate var identity: [Int] { hasOwnRowid ? [] : columns.primaryKey }

  /// The name by which to ask for the rowid, where no column is it.
  var hiddenRowid: String? { isKeyRowid ? nil : rowid }

  /// All its rows in the table's own order, the rowid first where no column is it.
  var query: String {
    let rowid = hiddenRowid.map { $0 + ", " } ?? ""
    return "SELECT \(rowid)\(selection) FROM \(SQLText.name(name))" + (isVirtual ? "" : " NOT INDEXED")
  }
}

/// The form of values in the files of rows: exact, and of long ones the beginning and the length.
///
/// NULL, texts, whole numbers that a script's numbers hold and real ones stand as they are. All else is an array that
/// begins with its kind: see docs/rows-data.md.
enum RowText {
  /// Bytes of a text that is whole.
  static let longestText = 16 * 1024
  /// Bytes of a blob that is whole.
  static let longestBlob = 64 * 1024
  /// Bytes that are kept of a longer one.
  static let blobBeginning = 1024
  /// Bytes that are told of a text that is no UTF-8.
  static let undecodedBytes = 64

  /// Whole numbers up to here are told apart by a script's numbers.
  private static let exactIntegers: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

  /// Appends the value of the current row.
  ///
  /// - Parameter isReal: True when the column holds real numbers, not whole ones.
  static func append(
    _ statement: InspectionStatement, _ column: Int32, isReal: Bool, to text: inout JSONText
  ) {
    switch statement.type(at: column) {
    case SQLITE_INTEGER: append(Int64(statement.integer(at: column)), to: &text)
    case SQLITE_FLOAT: append(statement.real(at: column), isReal: isReal, to: &text)
    case SQLITE_TEXT: appendText(statement, column, to: &text)
    case SQLITE_BLOB: appendBlob(statement, column, to: &text)
    default: text.plain("null")
    }
  }

  /// Appends a value that was cut as a story or a comparison cuts it; `nil` for one that was not told.
  static func append(_ value: DatabaseValue?, to text: inout JSONText) {
    switch value {
    case nil: append(marked: "?", nil, to: &text)
    case .null: text.plain("null")
    case .integer(let value): append(value, to: &text)
    case .real(let value): append(value, isReal: false, to: &text)
    case .text(let value, nil): text.element(value)
    case .text(let value, let whole?): append(marked: "t", value, bytes: whole.bytes, to: &text)
    case .blob(let bytes, let whole):
      append(marked: "b", base64(bytes), bytes: whole?.bytes ?? bytes.count, to: &text)
    }
  }

  static func append(_ value: Int64, to text: inout JSONText) {
    if exactIntegers.contains(value) {
      text.plain(String(value))
    } else {
      append(marked: "i", String(value), to: &text)
    }
  }

  private static func append(_ value: Double, isReal: Bool, to text: inout JSONText) {
    let isWhole = value.rounded() == value
    if value.isFinite, !(value == 0 && value.sign == .minus), isReal || !isWhole {
      text.plain(value.description)
    } else {
      append(marked: "r", value.description, to: &text)
    }
  }

  private static func appendText(
    _ statement: InspectionStatement, _ column: Int32, to text: inout JSONText
  ) {
    guard let utf8 = statement.utf8(at: column) else { return text.element("") }
    let shown = String(decoding: utf8, limit: longestText)
    if hasReplacements(shown, of: utf8) {
      let beginning = base64(Array(utf8.prefix(undecodedBytes)))
      append(marked: "u", shown, bytes: utf8.count, beginning, to: &text)
    } else if utf8.count > longestText {
      append(marked: "t", shown, bytes: utf8.count, to: &text)
    } else {
      text.element(shown)
    }
  }

  private static func appendBlob(
    _ statement: InspectionStatement, _ column: Int32, to text: inout JSONText
  ) {
    let value = statement.cell(at: column, limit: longestBlob, blobLimit: longestBlob)
    guard case .blob(let bytes, let whole) = value else { return text.plain("null") }
    let kept = whole == nil ? bytes : Array(bytes.prefix(blobBeginning))
    append(marked: "b", base64(kept), bytes: value.byteCount, to: &text)
  }

  /// - Parameters:
  ///   - beginning: The beginning of the value, or its digits.
  ///   - bytes: The size of the whole, where that is told.
  ///   - rest: The bytes of a text that is no UTF-8.
  private static func append(
    marked kind: String, _ beginning: String?, bytes: Int? = nil, _ rest: String? = nil,
    to text: inout JSONText
  ) {
    text.array { text in
      text.element(kind)
      if let beginning { text.element(beginning) }
      if let bytes { text.element(bytes) }
      if let rest { text.element(rest) }
    }
  }
}
