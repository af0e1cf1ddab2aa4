import ExhibitSQLite
import ExhibitSystem

/// A database and its WAL or journal, unchanged, in a folder.
struct RawFiles {
  private let folder: ScratchFolder
  private let name: String
  var database: String { "\(folder.path)/\(name)" }

  init(in folder: String, named name: String, database: String) throws {
    try self.init(in: folder, named: name)
    try Self.clone(database, to: self.database)
  }

  init(in folder: String, named name: String) throws {
    self.folder = try ScratchFolder(in: folder)
    self.name = name
  }

  func add(_ file: some ReadableFile, bytes: Int, as side: SideFile) throws {
    try Self.copy(file, bytes: bytes, to: side.path(beside: database))
  }

  func publish(as destination: String) throws {
    try folder.publish(as: destination)
  }

  static func clone(_ path: String, to destination: String) throws {
    let input = try InputFile(path: path)
    try OutputFile(creating: destination).clone(input, bytes: input.status.bytes)
  }

  private static let chunkBytes = 256 << 10

  /// Bytes that the file no longer has become zeros.
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
