import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem
import Glibc

/// One database that is open in this process, with every connection to it.
struct OpenDatabase: Sendable {
  enum Storage: Sendable, Hashable {
    case file(FileIdentity)
    /// In memory or temporary, by the address of what SQLite has in place of a file: connections can share it.
    case memory(file: UInt)
    /// Of SQLite's VFS `memdb`, which shares what begins with a slash by name in the process.
    case sharedMemory(name: String)

    /// The file that a path leads to; `nil` when there is none.
    init?(path: String) {
      guard let identity = FileIdentity(path: path) else { return nil }
      self = .file(identity)
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
    var connection: AppConnection
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
  /// Whether no connection could be asked about it.
  ///
  /// Then all that is known is that it is open.
  var isUnasked = false

  /// Those whose close drops the locks that the process has on a file through SQLite's other ones.
  ///
  /// Source: https://sqlite.org/src/file/src/os_unix.c, `nolockClose` and `dotlockClose` against `unixClose`.
  private static let unsafeVFS: Set = ["unix-none", "unix-dotfile"]

  /// Takes another connection's VFS in place of one whose close would cost that connection its locks.
  mutating func preferSafer(vfs other: String?) {
    guard let other, let own = vfs else {
      vfs = vfs ?? other
      return
    }
    if Self.unsafeVFS.contains(own), !Self.unsafeVFS.contains(other) { vfs = other }
  }

  func isMain(of connection: AppConnection) -> Bool {
    uses.contains { $0.connection === connection && $0.schema == "main" }
  }

  /// What the report calls it.
  var name: String {
    if let path = path ?? deletedPath { return fileName(path) }
    guard let use = uses.first else { return "in-memory" }
    return use.schema == "main" ? "in-memory" : use.schema
  }

  /// What is to be captured of it.
  var source: DatabaseSource {
    guard let path else {
      return reader.map { .inMemory($0.lent) } ?? .file(DatabaseFile(path: ""))
    }
    return .file(file(at: path))
  }

  /// Its file with the connections to it.
  func file(at path: String) -> DatabaseFile {
    DatabaseFile(path: path, vfs: vfs, connections: uses.map(\.lent))
  }

  /// Who writes to memory that connections share without a common cache keeps all others out.
  private var reader: Use? {
    guard case .sharedMemory = storage else { return uses.first }
    return uses.first(where: \.isWriting) ?? uses.first(where: \.isOwn)
  }
}

extension OpenDatabase.Use {
  /// Whether the connection writes to it now.
  var isWriting: Bool {
    connection.ask(until: .now) { sqlite3_txn_state($0, schema) == SQLITE_TXN_WRITE } ?? false
  }

  /// The connection as captures borrow it.
  var lent: LiveConnection {
    var live = LiveConnection(schema: schema, belongsToFailedTest: isOwn) { deadline, body in
      connection.borrow(until: deadline, body)
    }
    live.isLendable = connection.unguarded?.hasQueue ?? true
    return live
  }
}

/// The name of a file, of its path.
func fileName(_ path: String) -> String {
  path.split(separator: "/").last.map(String.init) ?? path
}
