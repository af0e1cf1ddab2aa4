package import ExhibitSystem

/// A sign that a WAL belongs to another database.
package enum ForeignWALSign: Sendable, Equatable {
  case emptyDatabase
  case notInWALMode
  case pageSize(wal: Int, database: Int)
  case olderSchema
  case olderTransactions
  case otherHeader(field: String)
  case newerDatabase
  case noTableInCommon
  case damages

  /// True for what no use of the database alone can cause, unlike `VACUUM`, pragmas and copies.
  package var isProof: Bool {
    switch self {
    case .emptyDatabase, .notInWALMode, .pageSize, .olderSchema, .olderTransactions: true
    case .otherHeader, .newerDatabase, .noTableInCommon, .damages: false
    }
  }

  /// The end of "it is not its own:".
  package var text: String {
    switch self {
    case .emptyDatabase: "the database file is empty"
    case .notInWALMode: "the database is not in WAL mode"
    case .pageSize(let wal, let database): "its pages have \(wal) bytes, the database's \(database)"
    case .olderSchema: "its schema is older than the database's"
    case .olderTransactions: "its transactions are older than the database's"
    case .otherHeader(let field): "it has another \(field)"
    case .newerDatabase: "the database file is newer than all of it"
    case .noTableInCommon: "none of the database's tables is left with it"
    case .damages: "the database is sound without it and damaged with it"
    }
  }
}

extension ForeignWALSign {
  package static func find(beside database: [UInt8]) -> [ForeignWALSign] {
    if database.isEmpty { return [.emptyDatabase] }
    guard let header = DatabaseHeader(database), !header.isWAL else { return [] }
    return [.notInWALMode]
  }

  /// Signs without reading the database through the WAL.
  ///
  /// - Parameter database: The database's first bytes.
  package static func find(
    in index: WALIndex, _ wal: some ReadableFile, beside database: [UInt8], at path: String
  ) throws -> [ForeignWALSign] {
    var signs = find(beside: database)
    guard let header = DatabaseHeader(database) else { return signs }
    if header.pageSize != index.header.pageSize {
      signs.append(.pageSize(wal: index.header.pageSize, database: header.pageSize))
    }
    if let first = try index.databaseHeader(wal) { signs += differences(from: header, to: first) }
    if try wasBornAfter(path) { signs.append(.newerDatabase) }
    return signs
  }

  /// Differences that no transaction can cause.
  private static func differences(
    from database: DatabaseHeader, to wal: DatabaseHeader
  ) -> [ForeignWALSign] {
    var fields: [String] = []
    if database.encoding != wal.encoding, database.encoding != 0 { fields.append("text encoding") }
    if database.reservedBytes != wal.reservedBytes { fields.append("reserved bytes") }
    if database.isAutoVacuum != wal.isAutoVacuum, database.schemaCookie != 0 {
      fields.append("auto_vacuum mode")
    }
    if database.applicationID != wal.applicationID, database.applicationID != 0 {
      fields.append("application id")
    }
    var signs = fields.map { ForeignWALSign.otherHeader(field: $0) }
    if isBefore(wal.schemaCookie, database.schemaCookie) { signs.append(.olderSchema) }
    if isBefore(wal.changeCounter, database.changeCounter) { signs.append(.olderTransactions) }
    return signs
  }

  private static func isBefore(_ counter: UInt32, _ other: UInt32) -> Bool {
    Int32(bitPattern: counter &- other) < 0
  }

  /// True when the database was created after the last write to the WAL, which is no copy.
  private static func wasBornAfter(_ database: String) throws -> Bool {
    let log = SideFile.wal.path(beside: database)
    guard let wal = try FileStatus(path: log), let birth = FileStatus.birth(of: database),
      let walBirth = FileStatus.birth(of: log)
    else { return false }
    return walBirth <= wal.modified && wal.modified < birth
  }
}

extension WALIndex {
  /// The database header as the WAL's last transaction left it, if any wrote page 1.
  fileprivate func databaseHeader(_ wal: some ReadableFile) throws -> DatabaseHeader? {
    guard let frame = lastFrame[1] else { return nil }
    let offset = WALHeader.byteCount + Int(frame) * frameBytes + WALFrame.headerBytes
    return DatabaseHeader(try wal.bytes(DatabaseHeader.byteCount, at: offset))
  }
}
