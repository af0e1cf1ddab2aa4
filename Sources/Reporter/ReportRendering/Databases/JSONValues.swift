import Collector
import ExhibitSQLite
import ExhibitSystem
import ReportInspection

/// Exact database values in JSON; see docs/database-json.md.
extension JSONText {
  /// Writes a value: NULL, numbers and texts as JSON, others as objects.
  ///
  /// - Parameter undecoded: The bytes of a text in invalid UTF-8.
  mutating func write(_ key: StaticString? = nil, _ value: DatabaseValue?, undecoded: [UInt8]? = nil) {
    switch value {
    case nil, .null: plain(key, "null")
    case .integer(let value): plain(key, String(value))
    case .real(let value) where value.isFinite: plain(key, value.description)
    case .real(let value):
      special(key, "real", text: value < 0 ? "-Infinity" : "Infinity", bytes: nil, isCut: false)
    case .text(let text, nil) where undecoded == nil:
      begin(key)
      string(text)
    case .text(let text, let whole):
      special(
        key, "text", text: text, hex: undecoded.map(hexadecimal),
        bytes: whole?.bytes ?? undecoded?.count ?? text.utf8.count, isCut: whole != nil)
    case .blob(let bytes, _):
      special(key, "blob", hex: hexadecimal(bytes), bytes: value?.byteCount, isCut: value?.isCut ?? false)
    }
  }

  private mutating func plain(_ key: StaticString?, _ json: String) {
    begin(key)
    append(json)
  }

  private mutating func begin(_ key: StaticString?) {
    if let key { name(key) } else { separate() }
  }

  private mutating func special(
    _ key: StaticString?, _ type: String, text: String? = nil, hex: String? = nil, bytes: Int?, isCut: Bool
  ) {
    object(key) { json in
      json.member("bytes", bytes)
      json.member("cut", isCut)
      json.member("hex", hex)
      json.member("text", text)
      json.member("type", type)
    }
  }

  mutating func write(_ key: StaticString, _ database: NamedDatabase) {
    let (files, header) = (database.files, database.header)
    object(key) { json in
      json.member("applicationID", Int(header.applicationID))
      json.member("autoVacuum", header.isAutoVacuum)
      json.member("bytes", files.bytes)
      json.member("changed", database.hasChanged)
      json.member("committedBytes", files.committedBytes)
      json.member("journal", "\(files.journal)")
      json.member("journalBytes", files.journalBytes)
      json.member("journalMode", database.isInWALMode ? "wal" : "rollback")
      json.member("name", database.name)
      json.member("pageSize", header.pageSize)
      json.member("path", database.original)
      json.member("sqliteVersion", header.sqliteVersion)
      json.member("userVersion", Int(header.userVersion))
      json.member("wal", files.wal.rawValue)
      json.member("walBytes", files.walBytes)
      json.object("walFrames", of: files.walFrames) { json, frames in
        json.member("broken", frames.isBroken)
        json.member("committed", frames.committed)
        json.member("transactions", frames.transactions)
        json.member("uncommitted", frames.uncommitted)
      }
      json.array("walSigns", files.walSigns) { $0.element($1) }
    }
  }

  // MARK: - The transactions of a WAL in the JSON of `reporter inspect`

  /// - Parameter most: The last transactions to write.
  mutating func write(_ name: StaticString, _ history: WALHistory?, transactions most: Int) {
    object(name, of: history) { json, history in
      json.member("checkpointed", history.checkpointed)
      json.member("contradiction", history.contradiction)
      json.member("count", history.count)
      json.array("problems", history.problems) { $0.element($1) }
      json.objects("transactions", Array(history.transactions.suffix(most))) { $0.write($1) }
      json.member("uncommittedPages", history.uncommittedFrames)
    }
  }

  private mutating func write(_ transaction: WALHistory.Transaction) {
    objects("declarations", transaction.declarations) { json, declaration in
      json.member("after", declaration.after)
      json.member("before", declaration.before)
      json.member("name", declaration.name)
      json.member("type", declaration.type)
    }
    member("number", transaction.number)
    member("pages", transaction.pages)
    objects("tables", transaction.tables) { $0.write($1) }
  }

  private mutating func write(_ table: WALHistory.Table) {
    member("added", table.count(.insert))
    member("changed", table.count(.update))
    array("columns", table.columns) { $0.element($1) }
    member("fate", table.fate.rawValue)
    member("formerName", table.formerName)
    member("name", table.name)
    member("problem", table.problem)
    member("removed", table.count(.delete))
    objects("rows", table.groups.flatMap(\.rows)) { json, row in
      json.write("after", cells: row.new)
      json.write("before", cells: row.old)
      json.member("rowid", row.key.map(Int.init))
    }
  }

  private mutating func write(_ name: StaticString, cells: [DatabaseValue?]?) {
    guard let cells else { return member(name, nil as String?) }
    array(name, cells) { $0.write(nil, $1) }
  }

  // MARK: - For a terminal

  /// A JSON object on its own line, for a command's output.
  static func printed(_ members: (inout JSONText) -> Void) -> [UInt8] {
    var json = JSONText(.document)
    json.object(nil, members)
    json.endLine()
    return json.takeForTerminal()
  }

  /// The text for a terminal, with DEL and U+0080 to U+009F escaped.
  private mutating func takeForTerminal() -> [UInt8] {
    let (bytes, controls) = (take(), 0x7F...0x9F as ClosedRange<UInt32>)
    guard bytes.contains(where: { $0 == 0x7F || $0 == 0xC2 }) else { return bytes }
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if controls.contains(scalar.value) {
        text.append(contentsOf: "\\u00\(String(scalar.value, radix: 16))".unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return Array(String(text).utf8)
  }
}
