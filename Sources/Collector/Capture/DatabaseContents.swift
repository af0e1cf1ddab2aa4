import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem

/// What can be read in a private copy, to tell whether a WAL makes sense of its database.
struct DatabaseContents {
  /// The names of the app's tables; `nil` when the schema cannot be read.
  private let tables: Set<String>?
  /// Whether `quick_check` finds nothing; `nil` when that is not known.
  private let isSound: Bool?
  private let schemaCookie: UInt32

  /// How long `quick_check` may take.
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
    do {
      let found = try handle.limited(to: patience) { try $0.text("PRAGMA quick_check(1)") } ?? "ok"
      // A page that could not be read is reported in the same way as one that is wrong.
      return found.contains("error code") && !found.contains("error code=\(SQLITE_CORRUPT)")
        ? nil : found == "ok"
    } catch {
      // Interrupted, or not readable: nothing is known then.
      return (error as? SQLiteError)?.isDamage == true ? false : nil
    }
  }

  /// What speaks against a WAL that makes `folded` of a database with these contents.
  func signs(against folded: DatabaseContents) -> [ForeignWALSign] {
    var signs: [ForeignWALSign] = []
    if isAnotherSchema(folded) {
      signs.append(.noTableInCommon)
    }
    if isSound == true, folded.isSound == false {
      signs.append(.damages)
    }
    return signs
  }

  /// Whether no table is the same, although the schema changed less often than dropping and creating all takes.
  private func isAnotherSchema(_ folded: DatabaseContents) -> Bool {
    guard let tables, let others = folded.tables, !tables.isEmpty, !others.isEmpty else { return false }
    return tables.isDisjoint(with: others)
      && Int(folded.schemaCookie &- schemaCookie) < tables.count + others.count
  }
}
