import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem
import Glibc

/// One database that is open in this process, with every connection to it.
struct OpenDatabase: Sendable {
  enum Storage: Sendable, Hashable {
    case file(device: UInt, inode: UInt)
    /// In memory or temporary, by the address of what SQLite has in place of a file: connections can share it.
    case memory(file: UInt)
    /// Of SQLite's VFS `memdb`, which shares what begins with a slash by name in the process.
    case sharedMemory(name: String)

    /// The file that a path leads to; `nil` when there is none.
    init?(path: String) {
      guard let status = FileSystem.targetStatus(path) else { return nil }
      self = .file(device: UInt(status.st_dev), inode: UInt(status.st_ino))
    }

    /// What a connection has open under a name; `nil` when SQLite does not tell.
    init?(schema: String, on db: OpaquePointer) {
      if let path = filePath(of: schema, on: db), let file = Self(path: path) {
        self = file
        return
      }
      if let name = sharedMemoryName(of: schema, on: db) {
        self = .sharedMemory(name: name)
        return
      }
      guard let file = filePointer(of: schema, on: db) else { return nil }
      self = .memory(file: UInt(bitPattern: file))
    }
  }

  /// A connection and the name by which it knows the database: `main` or an attached name.
  struct Use: Sendable {
    var connection: Connection
    var schema: String
    /// Whether the failing test opened or used it.
    var isOwn: Bool
  }

  var storage: Storage
  /// The absolute path as SQLite knows it; `nil` in memory.
  var path: String?
  /// Where its file lay before it was deleted; then SQLite's own descriptor alone leads to it.
  var deletedPath: String?
  /// The name of the VFS that its connections use; of several the one to open it with.
  var vfs: String?
  var uses: [Use]
  /// Whether no connection could say what it is: only that it is open is known.
  var isUnasked = false

  /// Those whose close drops the locks that the process has on a file through SQLite's other ones.
  ///
  /// Source: https://sqlite.org/src/file/src/os_unix.c, `nolockClose` and `dotlockClose` against `unixClose`.
  private static let unsafeVFS: Set = ["unix-none", "unix-dotfile"]

  /// Takes another connection's VFS in place of one whose close would cost that connection its locks.
  mutating func takeSafer(vfs other: String?) {
    guard let other, let own = vfs else {
      vfs = vfs ?? other
      return
    }
    if Self.unsafeVFS.contains(own), !Self.unsafeVFS.contains(other) { vfs = other }
  }

  func isMain(of connection: Connection) -> Bool {
    uses.contains { $0.connection === connection && $0.schema == "main" }
  }
}

/// Decides which of the open databases are a failing test's.
struct DatabaseSelection {
  let test: Ownership.Test
  /// Whether no other test runs.
  let isAlone: Bool

  /// What one connection has open.
  func databases(of connection: Connection, until deadline: ContinuousClock.Instant) -> [OpenDatabase] {
    let isOwn = connection.ownership().isOwned(by: test, isAlone: isAlone)
    // Nobody waits for what another test does.
    let deadline = isOwn ? deadline : .now
    guard let named = connection.ask(until: deadline, { db in attachedDatabases(of: db) }) else {
      return unasked(connection, isOwn: isOwn)
    }
    return named.compactMap { entry in
      let use = OpenDatabase.Use(connection: connection, schema: entry.schema, isOwn: isOwn)
      guard let storage = entry.storage else { return nil }
      guard case .file = storage else {
        return OpenDatabase(storage: storage, deletedPath: entry.path, uses: [use])
      }
      return OpenDatabase(storage: storage, path: entry.path, vfs: entry.vfs, uses: [use])
    }
  }

  /// What a connection that stays busy was opened with; what it has attached is not known.
  private func unasked(_ connection: Connection, isOwn: Bool) -> [OpenDatabase] {
    let use = OpenDatabase.Use(connection: connection, schema: "main", isOwn: isOwn)
    if let path = connection.path {
      return OpenDatabase.Storage(path: path).map {
        [OpenDatabase(storage: $0, path: path, vfs: connection.vfs, uses: [use], isUnasked: true)]
      } ?? []
    }
    // The connection's address stands for that of what it has in place of a file.
    let storage = OpenDatabase.Storage.memory(file: connection.address)
    return connection.hasEnded ? [] : [OpenDatabase(storage: storage, uses: [use], isUnasked: true)]
  }
}

/// The path of the main database's file; `nil` in memory and for a temporary database.
func mainPath(of db: OpaquePointer) -> String? { filePath(of: "main", on: db) }

/// The absolute path of one of a connection's databases; `nil` in memory.
func filePath(of schema: UnsafePointer<CChar>, on db: OpaquePointer) -> String? {
  guard let path = absoluteName(of: schema, on: db), !isMemoryVFS(of: schema, on: db) else { return nil }
  return path
}

/// The name by which connections of this process share a database in memory without sharing a cache.
///
/// Source: https://sqlite.org/src/file/src/memdb.c: names that begin with a slash are shared.
func sharedMemoryName(of schema: UnsafePointer<CChar>, on db: OpaquePointer) -> String? {
  guard let name = absoluteName(of: schema, on: db), isMemoryVFS(of: schema, on: db) else { return nil }
  return name
}

private func absoluteName(of schema: UnsafePointer<CChar>, on db: OpaquePointer) -> String? {
  guard let name = sqlite3_db_filename(db, schema), name.pointee == UInt8(ascii: "/") else { return nil }
  return String(cString: name)
}

private struct AttachedDatabase {
  var schema: String
  var storage: OpenDatabase.Storage?
  var path: String?
  var vfs: String?
}

/// SQLite's place for the temporary database; `main` has 0, and attached ones follow.
///
/// Source: https://www.sqlite.org/c3ref/db_name.html.
private let temporarySchema: Int32 = 1

/// The names of a connection's databases, `temp` only when SQLite has opened it.
func schemaNames(of db: OpaquePointer) -> [String] {
  var names: [String] = []
  var index: Int32 = 0
  while let name = sqlite3_db_name(db, index) {
    if index != temporarySchema || filePointer(of: name, on: db) != nil {
      names.append(String(cString: name))
    }
    index += 1
  }
  return names
}

/// Whether it is a temporary database with nothing in it: SQLite opens one for purposes of its own, such as
/// `ALTER TABLE … RENAME`.
///
/// It copies a small one, so it is asked only about connections of the failing test, or of one that may still fail.
func isEmptyTemporary(_ schema: String, on db: OpaquePointer) -> Bool {
  guard schema == "temp" else { return false }
  switch DatabaseImage.read(schema, on: db, limit: HeldDatabase.memoryLimit, image: .ownConnections) {
  case .empty: return true
  // What cannot be asked is captured, and the capture says why it fails.
  case .image(let image): return (try? image.hasNoSchema()) ?? false
  case .tooLarge, .failed: return false
  }
}

private func attachedDatabases(of db: OpaquePointer) -> [AttachedDatabase] {
  schemaNames(of: db).map { schema in
    AttachedDatabase(
      schema: schema, storage: OpenDatabase.Storage(schema: schema, on: db),
      path: filePath(of: schema, on: db),
      vfs: vfsName(of: schema, on: db))
  }
}

func filePointer(
  of schema: UnsafePointer<CChar>, on db: OpaquePointer
) -> UnsafeMutablePointer<sqlite3_file>? {
  var file: UnsafeMutablePointer<sqlite3_file>?
  guard sqlite3_file_control(db, schema, SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK else { return nil }
  return file
}
