import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ExhibitStart
import ExhibitSystem
import Glibc

/// A database that closed in a running test, held until the test is known to have passed.
final class HeldDatabase: Sendable {
  enum Content: Sendable {
    case file(path: String, database: HeldFile, wal: HeldFile?)
    case memory(DatabaseImage)
  }

  enum Outcome {
    case held(Content)
    case refused(Refusal)
    case nothing
  }

  enum Refusal: Sendable {
    case descriptors
    case number
    case transaction(String)
  }

  let connection: Int
  let schema: String
  let content: Content

  init(connection: Int, schema: String, content: Content) {
    self.connection = connection
    self.schema = schema
    self.content = content
  }
}

/// A file that stays reachable after its deletion, through an `O_PATH` descriptor, whose close drops no
/// locks.
final class HeldFile: Sendable {
  let identity: FileIdentity
  private let descriptor: Int32

  init?(path: String) throws(NoDescriptors) {
    descriptor = exhibit_hold_path(path)
    if descriptor < 0, errno == EMFILE || errno == ENFILE { throw NoDescriptors() }
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      if descriptor >= 0 { close(descriptor) }
      return nil
    }
    identity = FileIdentity(status)
  }

  struct NoDescriptors: Error {}

  deinit {
    if isOurs { close(descriptor) }
  }

  /// False when the app closed the descriptor; its own under that number would not be `O_PATH`.
  var isOurs: Bool {
    FileStatus(descriptor: descriptor)?.identity == identity && OpenDescriptors.isPathOnly(descriptor)
  }

  var storage: OpenDatabase.Storage { .file(identity) }

  /// A path to the file, even deleted, valid as long as this object.
  var path: String {
    get throws(CaptureError) {
      if isOurs { return "/proc/self/fd/\(descriptor)" }
      throw CaptureError(
        .closed,
        "It was held by a file descriptor that the app has closed, although it was not the app's own.")
    }
  }

  var size: Int { isOurs ? FileStatus(descriptor: descriptor)?.bytes ?? 0 : 0 }
}

extension HeldDatabase {
  /// Larger ones in memory are not held, since the app waits for the copy.
  static let memoryLimit = 512 << 10

  static func hold(
    _ schema: UnsafePointer<CChar>, on db: OpaquePointer, closing connection: AppConnection,
    in registry: ConnectionRegistry
  ) -> Outcome {
    if let path = filePath(of: schema, on: db) {
      return registry.isLast(connection, at: .file(path)) ? file(at: path, schema, db) : .nothing
    }
    if let name = sharedMemoryName(of: schema, on: db), !registry.isLast(connection, at: .memory(name)) {
      return .nothing
    }
    return memory(of: schema, on: db)
  }

  private static func file(at path: String, _ schema: UnsafePointer<CChar>, _ db: OpaquePointer) -> Outcome {
    do {
      if let database = try HeldFile(path: path) {
        return .held(
          .file(path: path, database: database, wal: try HeldFile(path: SideFile.wal.path(beside: path))))
      }
      return try deletedFile(path, schema, db).map { .held($0) } ?? .nothing
    } catch {
      return .refused(.descriptors)
    }
  }

  /// Holds deleted files through SQLite's own descriptors.
  private static func deletedFile(
    _ path: String, _ schema: UnsafePointer<CChar>, _ db: OpaquePointer
  ) throws(HeldFile.NoDescriptors) -> Content? {
    guard exhibit_has_descriptors() != 0 else { throw HeldFile.NoDescriptors() }
    let open = OpenFiles.deleted(startingWith: path, likely: likelyDescriptors(of: schema, on: db))
    guard let link = open[path], let database = try HeldFile(path: link) else { return nil }
    guard let log = open[SideFile.wal.path(beside: path)] else {
      return .file(path: path, database: database, wal: nil)
    }
    return .file(path: path, database: database, wal: try HeldFile(path: log))
  }

  /// Where SQLite probably has the descriptors of the database and its journal or WAL.
  private static func likelyDescriptors(of schema: UnsafePointer<CChar>, on db: OpaquePointer) -> [Int32] {
    guard let vfs = vfs(of: schema, on: db) else { return [] }
    return [SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER].compactMap { operation in
      filePointer(of: schema, on: db, operation)
        .flatMap { $0.pointee.pMethods == nil ? nil : exhibit_likely_descriptor($0, vfs) }
    }
  }

  private static func memory(of schema: UnsafePointer<CChar>, on db: OpaquePointer) -> Outcome {
    guard mayBeSmall(schema, db) else { return .nothing }
    let name = String(cString: schema)
    switch DatabaseImage.read(name, on: db, limit: memoryLimit, isClosing: true, image: .ownConnections) {
    case .image(let image): return .held(.memory(image))
    case .failed(let error): return .refused(.transaction(error.message))
    case .empty, .tooLarge: return .nothing
    }
  }

  /// Runs no statement: the page cache and the `memdb` file tell.
  private static func mayBeSmall(_ schema: UnsafePointer<CChar>, _ db: OpaquePointer) -> Bool {
    if let bytes = fileBytes(of: schema, on: db), bytes > memoryLimit { return false }
    var (used, highest): (Int32, Int32) = (0, 0)
    let code = sqlite3_db_status(db, SQLITE_DBSTATUS_CACHE_USED, &used, &highest, 0)
    return code == SQLITE_OK && Int(used) <= 2 * memoryLimit
  }

  private static func fileBytes(of schema: UnsafePointer<CChar>, on db: OpaquePointer) -> Int? {
    guard let file = filePointer(of: schema, on: db), let size = file.pointee.pMethods?.pointee.xFileSize
    else { return nil }
    var bytes: sqlite3_int64 = 0
    return size(file, &bytes) == SQLITE_OK ? Int(bytes) : nil
  }
}
