import ExhibitCSQLite
package import ExhibitSQLite

/// A database in memory, as a connection saw it.
package final class DatabaseImage: Sendable {
  private enum Content {
    /// Memory from `sqlite3_serialize`, to be freed.
    case serialized(UnsafeMutablePointer<UInt8>)
    /// A connection of ours with a copy, which nobody else uses.
    case copy(SQLiteConnection)
  }

  private nonisolated(unsafe) let content: Content
  package let count: Int

  /// The outcome of reading a database.
  package enum Reading {
    /// Nothing was ever written to it.
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

  /// Reads a database of at most `limit` bytes through a connection that nobody else uses meanwhile.
  ///
  /// - Parameter isClosing: True when the connection will not be used again. A statement reads it then, which takes a
  ///   third of the time; a passing test that closes a database in memory pays for it.
  package static func read(
    _ schema: String, on db: OpaquePointer, limit: Int, isClosing: Bool = false, image: SQLiteImage
  ) -> Reading {
    let handle = SQLiteHandle(pointer: db, path: "")
    // A close may be refused, and a statement in a transaction that has read nothing yet would keep it reading. The
    // other ways below handle an empty database and errors.
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

  /// Every byte of the database.
  ///
  /// - Throws: `SQLiteError`.
  package func bytes() throws -> [UInt8] {
    switch content {
    case .serialized(let start): return Array(UnsafeBufferPointer(start: start, count: count))
    case .copy(let connection):
      let (start, count) = try connection.handle.serializeAtOnce("main")
      defer { sqlite3_free(start) }
      return Array(UnsafeBufferPointer(start: start, count: count))
    }
  }

  /// True when its schema is empty: the first page's b-tree is one leaf without cells.
  ///
  /// Source: https://sqlite.org/fileformat2.html#b_tree_pages.
  package func hasNoSchema() throws -> Bool {
    let (leaf, typeOffset, cellsOffset): (UInt8, Int, Int) = (13, 100, 103)
    let page = try bytes().prefix(cellsOffset + 2)
    guard page.count == cellsOffset + 2 else { return true }
    return page[typeOffset] == leaf && page[cellsOffset] == 0 && page[cellsOffset + 1] == 0
  }
}
