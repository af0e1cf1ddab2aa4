import Collector
import ExhibitSQLite
import ExhibitSystem
import ReportInspection

/// Values of a database in JSON, exactly: docs/database-json.md describes them.
extension JSONText {
  /// A member, or an element where there is no key: NULL, an integer, a real number or a text as JSON has it, anything
  /// else as an object.
  ///
  /// - Parameter undecoded: The bytes of a text that is no UTF-8.
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

  /// What a file is, and what lies beside it.
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
}
