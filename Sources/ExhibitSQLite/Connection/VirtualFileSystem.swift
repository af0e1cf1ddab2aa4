package import ExhibitCSQLite
import Glibc

package func vfs(
  of schema: UnsafePointer<CChar>, on db: OpaquePointer
) -> UnsafeMutablePointer<sqlite3_vfs>? {
  var vfs: UnsafeMutablePointer<sqlite3_vfs>?
  guard sqlite3_file_control(db, schema, SQLITE_FCNTL_VFS_POINTER, &vfs) == SQLITE_OK else { return nil }
  return vfs
}

package func vfsName(of schema: UnsafePointer<CChar>, on db: OpaquePointer) -> String? {
  vfs(of: schema, on: db).map { String(cString: $0.pointee.zName) }
}

/// True for a database in memory of the VFS `memdb`.
///
/// Source: https://sqlite.org/src/file/src/memdb.c.
package func isMemoryVFS(of schema: UnsafePointer<CChar>, on db: OpaquePointer) -> Bool {
  vfs(of: schema, on: db).map { strcmp($0.pointee.zName, "memdb") == 0 } ?? false
}
