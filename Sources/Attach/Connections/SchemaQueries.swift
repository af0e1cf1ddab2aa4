import Collector
import ExhibitCSQLite
import ExhibitSQLite

/// The path of the main database's file; `nil` in memory and for a temporary database.
func mainPath(of db: OpaquePointer) -> String? { filePath(of: "main", on: db) }

/// The absolute path of one of a connection's databases; `nil` in memory.
func filePath(of schema: UnsafePointer<CChar>, on db: OpaquePointer) -> String? {
  guard let path = absoluteName(of: schema, on: db), !isMemoryVFS(of: schema, on: db) else { return nil }
  return path
}

/// The name of an in-memory database that connections of this process share without sharing a cache.
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

/// The index of the temporary database in SQLite; `main` has 0, and attached ones follow.
///
/// Source: https://www.sqlite.org/c3ref/db_name.html.
private let temporarySchema: Int32 = 1

/// The names of a connection's databases; `temp` only when SQLite has opened it.
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

/// True for an empty temporary database, which SQLite opens for its own purposes, as in `ALTER TABLE … RENAME`.
///
/// It copies a small database, so it is called only for connections of a test that failed or may still fail.
func isEmptyTemporary(_ schema: String, on db: OpaquePointer) -> Bool {
  guard schema == "temp" else { return false }
  switch DatabaseImage.read(schema, on: db, limit: HeldDatabase.memoryLimit, image: .ownConnections) {
  case .empty: return true
  // If the look fails, the database is captured, and the capture says why it fails.
  case .image(let image): return (try? image.hasNoSchema()) ?? false
  case .tooLarge, .failed: return false
  }
}

/// SQLite's file of a database, or another one that an operation of `sqlite3_file_control` asks for.
func filePointer(
  of schema: UnsafePointer<CChar>, on db: OpaquePointer, _ operation: Int32 = SQLITE_FCNTL_FILE_POINTER
) -> UnsafeMutablePointer<sqlite3_file>? {
  var file: UnsafeMutablePointer<sqlite3_file>?
  guard sqlite3_file_control(db, schema, operation, &file) == SQLITE_OK else { return nil }
  return file
}
