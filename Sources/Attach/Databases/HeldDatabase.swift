import Collector
import ExhibitSQLite
import ExhibitStart
import Glibc

/// A database that was closed while a test still ran, kept readable until it is known that the test passed.
final class HeldDatabase: Sendable {
  enum Content: Sendable {
    /// The file and its WAL, if it had one.
    case file(path: String, database: HeldFile, wal: HeldFile?)
    /// A small database in memory.
    case memory(SerializedDatabase)
  }

  /// The number of the connection that was closed.
  let connection: Int
  let schema: String
  let content: Content

  init(connection: Int, schema: String, content: Content) {
    self.connection = connection
    self.schema = schema
    self.content = content
  }
}

/// A file that stays reachable after it was deleted.
///
/// The descriptor only names the file (`O_PATH`): it neither reads nor locks, and closing it drops no lock of the
/// process, as closing any other descriptor would.
final class HeldFile: Sendable {
  let device: UInt
  let inode: UInt
  private let descriptor: Int32

  /// Holds the file at a path; `nil` when there is none or no descriptor is left.
  init?(path: String) {
    descriptor = exhibit_hold_path(path)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      if descriptor >= 0 { close(descriptor) }
      return nil
    }
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
  }

  deinit {
    close(descriptor)
  }

  var storage: OpenDatabase.Storage { .file(device: device, inode: inode) }

  /// A path that leads to the file, deleted or not, as long as this object is.
  var path: String { "/proc/self/fd/\(descriptor)" }

  /// Bytes.
  var size: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }
}

extension HeldDatabase {
  /// A database in memory above this size is let go: the app waits while it is copied.
  static let memoryLimit = 512 << 10

  /// What can be held of one database of a connection that is about to be closed.
  static func content(of schema: String, on db: OpaquePointer, isLast: (String) -> Bool) -> Content? {
    if let path = filePath(of: schema, on: db) { return isLast(path) ? file(at: path) : nil }
    return memory(of: schema, on: db)
  }

  private static func file(at path: String) -> Content? {
    guard let database = HeldFile(path: path) else { return deletedFile(path) }
    return .file(path: path, database: database, wal: HeldFile(path: path + "-wal"))
  }

  /// The folder is gone already: SQLite's own descriptors still lead to the files.
  private static func deletedFile(_ path: String) -> Content? {
    let open = OpenFiles.deleted(startingWith: path)
    guard let database = open[path].flatMap({ HeldFile(path: $0) }) else { return nil }
    return .file(path: path, database: database, wal: open[path + "-wal"].flatMap { HeldFile(path: $0) })
  }

  private static func memory(of schema: String, on db: OpaquePointer) -> Content? {
    guard mayBeSmall(schema, db), let image = SerializedDatabase(schema, on: db), image.count <= memoryLimit
    else { return nil }
    return .memory(image)
  }

  /// What is in memory is in the page cache whole, whose size is known without running a statement.
  private static func mayBeSmall(_ schema: String, _ db: OpaquePointer) -> Bool {
    var (used, highest): (Int32, Int32) = (0, 0)
    let code = sqlite3_db_status(db, SQLITE_DBSTATUS_CACHE_USED, &used, &highest, 0)
    return code == SQLITE_OK && Int(used) <= 2 * memoryLimit
  }
}
