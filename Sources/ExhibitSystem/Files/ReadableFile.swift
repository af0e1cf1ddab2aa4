/// A file that can be read at any offset: one of SQLite's own, or one that this process has open nowhere.
package protocol ReadableFile {
  func size() throws -> Int

  /// Fills `buffer` from `offset`; what lies behind the end of the file becomes zeros.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws
}

extension InputFile: ReadableFile {
  /// The size now: the file may have grown since it was opened.
  package func size() throws -> Int {
    guard let status = FileStatus(descriptor: descriptor) else { throw SystemError("look at", path) }
    return status.bytes
  }

  package func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
    let count = try read(into: buffer, at: offset)
    UnsafeMutableRawBufferPointer(rebasing: buffer.dropFirst(count)).initializeMemory(
      as: UInt8.self, repeating: 0)
  }
}
