/// A file that can be read at any offset.
package protocol ReadableFile {
  func size() throws -> Int

  /// Fills `buffer` from `offset`, with zeros behind the end of the file.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws
}

extension ReadableFile {
  package func bytes(_ count: Int, at offset: Int = 0) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    try bytes.withUnsafeMutableBytes { try fill($0, at: offset) }
    return bytes
  }
}

extension InputFile: ReadableFile {
  /// The current size; the file may have grown since it was opened.
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
