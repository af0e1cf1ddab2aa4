package import ExhibitCSQLite
import Glibc

/// The VFS between SQLite and the file of a connection's database; `nil` when SQLite does not tell.
package func vfs(
  of schema: UnsafePointer<CChar>, on db: OpaquePointer
) -> UnsafeMutablePointer<sqlite3_vfs>? {
  var vfs: UnsafeMutablePointer<sqlite3_vfs>?
  guard sqlite3_file_control(db, schema, SQLITE_FCNTL_VFS_POINTER, &vfs) == SQLITE_OK else { return nil }
  return vfs
}

/// The name of that VFS.
package func vfsName(of schema: UnsafePointer<CChar>, on db: OpaquePointer) -> String? {
  vfs(of: schema, on: db).map { String(cString: $0.pointee.zName) }
}

/// True when a connection's database lies in memory as a file of the VFS `memdb`.
///
/// Source: https://sqlite.org/src/file/src/memdb.c.
package func isMemoryVFS(of schema: UnsafePointer<CChar>, on db: OpaquePointer) -> Bool {
  vfs(of: schema, on: db).map { strcmp($0.pointee.zName, "memdb") == 0 } ?? false
}
