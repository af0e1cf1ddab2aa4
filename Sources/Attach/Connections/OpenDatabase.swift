import Collector
import ExhibitCSQLite
import ExhibitSystem

/// One database that is open in this process, with every connection to it.
struct OpenDatabase: Sendable {
  enum Storage: Sendable, Hashable {
    case file(FileIdentity)
    /// In memory or temporary, identified by the address of SQLite's file object, which connections can share.
    case memory(file: UInt)
    /// In SQLite's VFS `memdb`, which shares names that begin with a slash within the process.
    case sharedMemory(name: String)

    /// The file that a path leads to; `nil` when there is none.
    init?(path: String) {
      guard let identity = FileIdentity(path: path) else { return nil }
      self = .file(identity)
    }

    /// The storage of a connection's database; `nil` when SQLite does not tell it.
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
    /// True when the failing test opened or used the connection.
    var isOwn: Bool
  }

  var storage: Storage
  /// The absolute path as SQLite knows it; `nil` in memory.
  var path: String?
  /// The path of a file that was deleted; only SQLite's own descriptor leads to it.
  var deletedPath: String?
  /// The name of the connections' VFS; of several, the one to open the file with.
  var vfs: String?
  var uses: [Use]
  /// True when no connection could be asked, so that nothing is known but that it is open.
  var isUnasked = false

  /// VFSs whose close drops the locks that the process holds on a file through SQLite's other VFSs.
  ///
  /// Source: https://sqlite.org/src/file/src/os_unix.c, `nolockClose` and `dotlockClose` against `unixClose`.
  private static let unsafeVFS: Set = ["unix-none", "unix-dotfile"]

  /// Takes another connection's VFS if a close through the own one would drop that connection's locks.
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

  /// The name in the report.
  var name: String {
    if let path = path ?? deletedPath { return fileName(path) }
    guard let use = uses.first else { return "in-memory" }
    return use.schema == "main" ? "in-memory" : use.schema
  }

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

  /// The connection to read through: in memory shared without a common cache, a writer keeps all others out.
  private var reader: Use? {
    guard case .sharedMemory = storage else { return uses.first }
    return uses.first(where: \.isWriting) ?? uses.first(where: \.isOwn)
  }
}

extension OpenDatabase.Use {
  /// True when the connection has a write transaction on it now.
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

func fileName(_ path: String) -> String {
  path.split(separator: "/").last.map(String.init) ?? path
}
