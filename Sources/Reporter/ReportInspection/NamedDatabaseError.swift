import ExhibitSQLite
import ExhibitSystem
import ReportModel

/// Why a file named by the user cannot be read as a database.
package enum NamedDatabaseError: Error, Equatable, CustomStringConvertible {
  case missing(String, isLink: Bool)
  case notAFile(String, String)
  /// A WAL or journal is a link.
  case linkBeside(String)
  case unreadable(String, String)
  case empty(String, walBytes: Int)
  case noDatabase(String, FirstBytes)
  case damaged(String, String)
  case busy(String)
  case noRoom(String, needed: Int, free: Int, folder: String)
  case noCopy(String, String, isOfFolder: Bool)

  /// True when the temporary folder is the cause.
  package var isOfTemporaryFiles: Bool {
    switch self {
    case .noRoom, .noCopy(_, _, isOfFolder: true): true
    default: false
    }
  }

  /// True when a concurrent change may be the cause.
  var mayPass: Bool {
    switch self {
    case .unreadable, .noCopy, .noDatabase, .empty: true
    default: false
    }
  }

  package var description: String {
    switch self {
    case .missing(let name, let isLink):
      isLink ? "\(name) is a link that leads to no file." : "There is no file \(name)."
    case .notAFile(let name, let kind): "\(name) is \(kind), no database file."
    case .linkBeside(let name):
      "\(name) is a link, and SQLite follows none there: no program can open the database. Put the file itself in its place."
    case .unreadable(let name, let reason): "\(name) cannot be read: \(reason)."
    case .empty(let name, walBytes: 0):
      "\(name) is empty: SQLite takes it for a database without tables, and so does any program that opens it."
    case .empty(let name, let bytes):
      "\(name) is empty, and beside it lies a -wal of \(counted(bytes, "byte")): opening it with SQLite would delete that."
    case .noDatabase(let name, let bytes): "\(name) is no SQLite database: \(bytes.text)."
    case .damaged(let name, let sentence): "\(name) begins as a database, but: \(sentence)"
    case .busy(let name):
      "\(name) and what lies beside it are written again and again, so no copy of one moment could be made; stop"
        + " the program that writes, or try again."
    case .noRoom(let name, let needed, let free, let folder):
      "A private copy of \(name) with what lies beside it takes \(sizeText(needed)), and \(folder) has"
        + " \(sizeText(free)); set TMPDIR to a folder with more room."
    case .noCopy(let name, let reason, _): "No private copy of \(name) could be made: \(reason)"
    }
  }
}

/// What a file is instead of a database.
package enum FirstBytes: Equatable {
  case text, dump, archive, encrypted, unknown, tooShort

  init(_ bytes: [UInt8]) {
    if bytes.starts(with: DatabaseHeader.magic) {
      self = .tooShort
    } else if Self.archives.contains(where: { bytes.starts(with: $0) }) {
      self = .archive
    } else if bytes.allSatisfy({ $0 >= 0x20 || (0x09...0x0D).contains($0) }),
      String(validating: bytes.dropLast(bytes.count > 8 ? 4 : 0), as: UTF8.self) != nil
    {
      let start = String(decoding: bytes.prefix(200), as: UTF8.self).uppercased()
      self =
        ["PRAGMA ", "BEGIN TRANSACTION", "CREATE TABLE"].contains { start.hasPrefix($0) } ? .dump : .text
    } else {
      self = Self.looksRandom(bytes) ? .encrypted : .unknown
    }
  }

  private static let archives: [[UInt8]] = [
    [0x50, 0x4B, 0x03, 0x04], gzipMagic, [0x28, 0xB5, 0x2F, 0xFD], [0xFD, 0x37, 0x7A, 0x58],
    [0x42, 0x5A, 0x68],
  ]

  /// True for many distinct bytes: 512 random ones have about 221 values.
  private static func looksRandom(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 512 && Set(bytes.prefix(512)).count > 190
  }

  var text: String {
    switch self {
    case .tooShort: "it ends within the header"
    case .text: "it is text"
    case .dump: "it is SQL; `sqlite3 new.sqlite < file` makes a database of it"
    case .archive: "it is a compressed file"
    case .encrypted: "it looks encrypted, as SQLCipher's files do, and the key is needed to read it"
    case .unknown: "it does not begin as one; it may be encrypted"
    }
  }
}
