import ExhibitSQLite
import ExhibitSystem

/// A database and its WAL or journal as they were, in a folder of their own.
struct RawFiles {
  private let folder: ScratchFolder
  private let name: String
  var database: String { "\(folder.path)/\(name)" }

  /// Begins with a database file that nobody but us writes.
  ///
  /// - Parameter name: The database's name in the folder.
  /// - Throws: `SystemError`.
  init(in folder: String, named name: String, database: String) throws {
    try self.init(in: folder, named: name)
    try Self.clone(database, to: self.database)
  }

  /// Begins without a database, because it is gone.
  ///
  /// - Throws: `SystemError`.
  init(in folder: String, named name: String) throws {
    self.folder = try ScratchFolder(in: folder)
    self.name = name
  }

  /// Adds the first `bytes` of a file that belongs to the database.
  ///
  /// - Throws: `SystemError`, and the errors of reading the file.
  func add(_ file: some ReadableFile, bytes: Int, as side: SideFile) throws {
    try Self.copy(file, bytes: bytes, to: side.path(beside: database))
  }

  /// - Throws: `SystemError`.
  func publish(as destination: String) throws {
    try folder.publish(as: destination)
  }

  /// Copies one of our own files.
  ///
  /// - Throws: `SystemError`.
  static func clone(_ path: String, to destination: String) throws {
    let input = try InputFile(path: path)
    try OutputFile(creating: destination).clone(input, bytes: input.status.bytes)
  }

  private static let chunkBytes = 256 << 10

  /// Writes the first `bytes` of a file to `path`, with zeros for bytes that it no longer has.
  ///
  /// - Throws: `SystemError`, and the errors of reading the file.
  static func copy(_ file: some ReadableFile, bytes: Int, to path: String) throws {
    let output = try OutputFile(creating: path)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkBytes, alignment: 4096)
    defer { buffer.deallocate() }
    for offset in stride(from: 0, to: bytes, by: chunkBytes) {
      let chunk = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(bytes - offset))
      try file.fill(chunk, at: offset)
      try output.write(UnsafeRawBufferPointer(chunk))
    }
  }
}
