import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem

/// A reason to hold a WAL for that of another database, as the end of the sentence "it is not its own:".
struct ForeignWALSign: Equatable {
  var text: String

  /// What a database file says to any WAL beside it, by its first bytes.
  static func find(beside database: [UInt8]) -> [ForeignWALSign] {
    if database.isEmpty { return [ForeignWALSign(text: "the database file is empty")] }
    guard let header = DatabaseHeader(database), !header.isWAL else { return [] }
    return [ForeignWALSign(text: "the database is not in WAL mode")]
  }

  /// What database and WAL say without being read together.
  ///
  /// - Parameter database: the first bytes of the database file, and its path.
  static func find(
    in index: WALIndex, _ wal: some ReadableFile, beside database: [UInt8], at path: String
  ) throws -> [ForeignWALSign] {
    var signs = find(beside: database)
    guard let header = DatabaseHeader(database) else { return signs }
    if header.pageSize != index.header.pageSize {
      signs.append(.pageSize(of: index, header))
    }
    if let first = try index.databaseHeader(wal) { signs += differences(from: header, to: first) }
    if try wasBornAfter(path) {
      signs.append(ForeignWALSign(text: "the database file is newer than all of it"))
    }
    return signs
  }

  private static func pageSize(of index: WALIndex, _ header: DatabaseHeader) -> ForeignWALSign {
    ForeignWALSign(
      text: "its pages have \(index.header.pageSize) bytes, the database's \(header.pageSize)")
  }

  /// What no transaction on `database` can have changed, or only in the other direction.
  private static func differences(
    from database: DatabaseHeader, to wal: DatabaseHeader
  ) -> [ForeignWALSign] {
    var differences: [String] = []
    if database.encoding != wal.encoding, database.encoding != 0 { differences.append("text encoding") }
    if database.reservedBytes != wal.reservedBytes { differences.append("reserved bytes") }
    if database.isAutoVacuum != wal.isAutoVacuum, database.schemaCookie != 0 {
      differences.append("auto_vacuum mode")
    }
    if database.applicationID != wal.applicationID, database.applicationID != 0 {
      differences.append("application id")
    }
    var signs = differences.map { ForeignWALSign(text: "it has another \($0)") }
    if isBefore(wal.schemaCookie, database.schemaCookie) {
      signs.append(ForeignWALSign(text: "its schema is older than the database's"))
    }
    if isBefore(wal.changeCounter, database.changeCounter) {
      signs.append(ForeignWALSign(text: "its transactions are older than the database's"))
    }
    return signs
  }

  /// Whether a counter that wraps around is behind another one.
  private static func isBefore(_ counter: UInt32, _ other: UInt32) -> Bool {
    Int32(bitPattern: counter &- other) < 0
  }

  /// Whether the database file was created after the WAL was last written.
  ///
  /// A copied WAL keeps its time but is itself younger than that; then nothing is known.
  private static func wasBornAfter(_ database: String) throws -> Bool {
    let log = SideFile.wal.path(beside: database)
    guard let wal = try FileStatus(path: log), let birth = FileStatus.birth(of: database),
      let walBirth = FileStatus.birth(of: log)
    else { return false }
    return walBirth <= wal.modified && wal.modified < birth
  }
}

extension WALIndex {
  /// The database header as the last transaction of the WAL left it, when any wrote it.
  fileprivate func databaseHeader(_ wal: some ReadableFile) throws -> DatabaseHeader? {
    guard let frame = lastFrame[1] else { return nil }
    var bytes = [UInt8](repeating: 0, count: DatabaseHeader.byteCount)
    let offset = WALHeader.byteCount + Int(frame) * frameBytes + WALFrame.headerBytes
    try bytes.withUnsafeMutableBytes { try wal.fill($0, at: offset) }
    return DatabaseHeader(bytes)
  }
}

// MARK: - What they hold

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
      signs.append(ForeignWALSign(text: "none of the database's tables is left with it"))
    }
    if isSound == true, folded.isSound == false {
      signs.append(ForeignWALSign(text: "the database is sound without it and damaged with it"))
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
