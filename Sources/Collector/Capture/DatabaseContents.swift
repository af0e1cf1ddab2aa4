import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem

/// What a database has, to tell whether a WAL belongs to it.
struct DatabaseContents {
  /// `nil` when the schema cannot be read.
  private let tables: Set<String>?
  private let isSound: Bool?
  private let schemaCookie: UInt32

  private static let patience = Duration.milliseconds(300)

  init(of copy: PrivateCopy) throws {
    let start = try InputFile(path: copy.database).prefix(DatabaseHeader.byteCount)
    schemaCookie = DatabaseHeader(start)?.schemaCookie ?? 0
    let handle = try copy.openImmutable()
    do {
      let sql = "SELECT group_concat(hex(name)) FROM sqlite_schema WHERE type='table'"
      tables = Set((try handle.text(sql) ?? "").split(separator: ",").map(String.init))
    } catch {
      tables = nil  // damage is one of the things to find out
    }
    isSound = Self.isSound(handle)
  }

  private static func isSound(_ handle: SQLiteHandle) -> Bool? {
    let guessed = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
    guessed.initialize(to: false)
    defer { guessed.deallocate() }
    do {
      try handle.standInForCollations(noting: guessed)
      let found = try handle.limited(to: patience) { try $0.text("PRAGMA quick_check(1)") } ?? "ok"
      if found != "ok", guessed.pointee { return nil }
      // An unreadable page is reported like a wrong one.
      return found.contains("error code") && !found.contains("error code=\(SQLITE_CORRUPT)")
        ? nil : found == "ok"
    } catch {
      return (error as? SQLiteError)?.isDamage == true ? false : nil
    }
  }

  /// Signs that the WAL is foreign which makes this content `folded`.
  func signs(against folded: DatabaseContents) -> [ForeignWALSign] {
    var signs: [ForeignWALSign] = []
    if isAnotherSchema(folded) { signs.append(.noTableInCommon) }
    if isSound == true, folded.isSound == false { signs.append(.damages) }
    return signs
  }

  /// True when no table is the same, and the schema changed too few times for that.
  private func isAnotherSchema(_ folded: DatabaseContents) -> Bool {
    guard let tables, let others = folded.tables, !tables.isEmpty, !others.isEmpty else { return false }
    return tables.isDisjoint(with: others)
      && Int(folded.schemaCookie &- schemaCookie) < tables.count + others.count
  }
}
