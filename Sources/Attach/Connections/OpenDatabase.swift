import Collector
import ExhibitCSQLite
import ExhibitSystem

struct OpenDatabase: Sendable {
  enum Storage: Sendable, Hashable {
    case file(FileIdentity)
    /// In memory or temporary, by the address of SQLite's file object.
    case memory(file: UInt)
    /// In the VFS `memdb`, which shares names with a leading slash.
    case sharedMemory(name: String)

    init?(path: String) {
      guard let identity = FileIdentity(path: path) else { return nil }
      self = .file(identity)
    }

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

  struct Use: Sendable {
    var connection: AppConnection
    var schema: String
    var isOwn: Bool
  }

  var storage: Storage
  var path: String?
  var deletedPath: String?
  var vfs: String?
  var uses: [Use]
  var isUnasked = false

  /// VFSs whose close drops the locks of SQLite's other VFSs.
  ///
  /// Source: https://sqlite.org/src/file/src/os_unix.c, `nolockClose` and `dotlockClose` against `unixClose`.
  private static let unsafeVFS: Set = ["unix-none", "unix-dotfile"]

  /// Takes another connection's VFS if closing through this one would drop its locks.
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

  func file(at path: String) -> DatabaseFile {
    DatabaseFile(path: path, vfs: vfs, connections: uses.map(\.lent))
  }

  /// In a shared `memdb` a writer excludes all others.
  private var reader: Use? {
    guard case .sharedMemory = storage else { return uses.first }
    return uses.first(where: \.isWriting) ?? uses.first(where: \.isOwn)
  }
}

extension OpenDatabase.Use {
  var isWriting: Bool {
    connection.ask(until: .now) { sqlite3_txn_state($0, schema) == SQLITE_TXN_WRITE } ?? false
  }

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
