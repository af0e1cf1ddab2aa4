import Collector
import ExhibitCSQLite
import ExhibitSQLite

func mainPath(of db: OpaquePointer) -> String? { filePath(of: "main", on: db) }

func filePath(of schema: UnsafePointer<CChar>, on db: OpaquePointer) -> String? {
  guard let path = absoluteName(of: schema, on: db), !isMemoryVFS(of: schema, on: db) else { return nil }
  return path
}

/// The name of a shared in-memory database: one that begins with a slash.
///
/// Source: https://sqlite.org/src/file/src/memdb.c.
func sharedMemoryName(of schema: UnsafePointer<CChar>, on db: OpaquePointer) -> String? {
  guard let name = absoluteName(of: schema, on: db), isMemoryVFS(of: schema, on: db) else { return nil }
  return name
}

private func absoluteName(of schema: UnsafePointer<CChar>, on db: OpaquePointer) -> String? {
  guard let name = sqlite3_db_filename(db, schema), name.pointee == UInt8(ascii: "/") else { return nil }
  return String(cString: name)
}

/// Source: https://www.sqlite.org/c3ref/db_name.html.
private let temporarySchema: Int32 = 1

/// Has `temp` only when SQLite has opened it.
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

/// True for one that SQLite opens for itself, as in `ALTER TABLE … RENAME`.
func isEmptyTemporary(_ schema: String, on db: OpaquePointer) -> Bool {
  guard schema == "temp" else { return false }
  switch DatabaseImage.read(schema, on: db, limit: HeldDatabase.memoryLimit, image: .ownConnections) {
  case .empty: return true
  case .image(let image): return (try? image.hasNoSchema()) ?? false
  case .tooLarge, .failed: return false
  }
}

func filePointer(
  of schema: UnsafePointer<CChar>, on db: OpaquePointer, _ operation: Int32 = SQLITE_FCNTL_FILE_POINTER
) -> UnsafeMutablePointer<sqlite3_file>? {
  var file: UnsafeMutablePointer<sqlite3_file>?
  guard sqlite3_file_control(db, schema, operation, &file) == SQLITE_OK else { return nil }
  return file
}
