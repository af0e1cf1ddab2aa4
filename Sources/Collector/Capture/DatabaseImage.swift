import ExhibitCSQLite
package import ExhibitSQLite

package final class DatabaseImage: Sendable {
  private enum Content {
    case serialized(UnsafeMutablePointer<UInt8>)
    case copy(SQLiteConnection)
  }

  private nonisolated(unsafe) let content: Content
  package let count: Int

  package enum Reading {
    case empty
    case image(DatabaseImage)
    case tooLarge(bytes: Int)
    case failed(CaptureError)
  }

  private init(_ content: Content, count: Int) {
    self.content = content
    self.count = count
  }

  deinit {
    if case .serialized(let start) = content { sqlite3_free(start) }
  }

  /// - Parameter isClosing: True before a close, when a statement may read in a third of the time.
  package static func read(
    _ schema: String, on db: OpaquePointer, limit: Int, isClosing: Bool = false, image: SQLiteImage
  ) -> Reading {
    let handle = SQLiteHandle(pointer: db, path: "")
    // The close may be refused, and a deferred transaction would go on reading.
    if isClosing, !handle.isAboutToRead(schema),
      let (start, count) = try? handle.serialize(schema, image: image), count > 0
    {
      let whole = DatabaseImage(.serialized(start), count: count)
      return count > limit ? .tooLarge(bytes: count) : .image(whole)
    }
    do {
      if handle.isOwnMemoryFile(schema) { return try serialize(schema, on: handle, limit: limit, image) }
      let copy = try SQLiteConnection(inMemoryOf: image)
      do {
        let bytes = try DatabaseBackup(of: schema, on: handle, into: copy.handle, limit: limit).bytes
        if bytes == 0 { return .empty }
        return bytes > limit ? .tooLarge(bytes: bytes) : .image(DatabaseImage(.copy(copy), count: bytes))
      } catch let error as SQLiteError where error.isBusy {
        return try serialize(schema, on: handle, limit: limit, image)
      }
    } catch {
      return .failed(CaptureError(error))
    }
  }

  private static func serialize(
    _ schema: String, on handle: SQLiteHandle, limit: Int, _ image: SQLiteImage
  ) throws -> Reading {
    let bytes = try handle.imageBytes(schema, image: image)
    guard bytes > 0 else { return .empty }
    guard bytes <= limit else { return .tooLarge(bytes: bytes) }
    let (start, count) = try handle.serialize(schema, image: image)
    return .image(DatabaseImage(.serialized(start), count: count))
  }

  package func bytes() throws -> [UInt8] {
    switch content {
    case .serialized(let start): return Array(UnsafeBufferPointer(start: start, count: count))
    case .copy(let connection):
      let (start, count) = try connection.handle.serializeAtOnce("main")
      defer { sqlite3_free(start) }
      return Array(UnsafeBufferPointer(start: start, count: count))
    }
  }

  /// True when the schema's b-tree is a leaf without cells
  /// (https://sqlite.org/fileformat2.html#b_tree_pages).
  package func hasNoSchema() throws -> Bool {
    let (leaf, typeOffset, cellsOffset): (UInt8, Int, Int) = (13, 100, 103)
    let page = try bytes().prefix(cellsOffset + 2)
    guard page.count == cellsOffset + 2 else { return true }
    return page[typeOffset] == leaf && page[cellsOffset] == 0 && page[cellsOffset + 1] == 0
  }
}
