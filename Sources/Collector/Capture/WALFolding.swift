import ExhibitSQLite
import ExhibitSystem

/// Writes a WAL's committed frames into a copy of its database, each page once.
struct WALFolding {
  private let database: OutputFile
  private let index: WALIndex
  /// True while the database had every page with the same content.
  private(set) var foundNothingNew = true
  private let page: UnsafeMutableRawBufferPointer

  static func fold(_ wal: some ReadableFile, _ index: WALIndex, into database: String) throws -> Bool {
    let page = UnsafeMutableRawBufferPointer.allocate(byteCount: index.header.pageSize, alignment: 4096)
    defer { page.deallocate() }
    var folding = WALFolding(
      database: try OutputFile(updating: database), index: index, page: page)
    let chunks = WALChunks(frameBytes: index.frameBytes, frames: index.frames.committed)
    try chunks.read(wal) { first, chunk in
      try folding.write(chunk, first: first)
      return true
    }
    return try folding.setSize() || !folding.foundNothingNew
  }

  /// Sets the size after the last commit; true when that changed it.
  private func setSize() throws -> Bool {
    let bytes = Int(index.databasePages) * index.header.pageSize
    guard try FileStatus(path: database.path)?.bytes != bytes else { return false }
    try database.truncate(to: bytes)
    return true
  }

  private mutating func write(_ chunk: UnsafeRawBufferPointer, first: Int) throws {
    var run = PageRun()
    for (number, offset) in stride(from: 0, to: chunk.count, by: index.frameBytes).enumerated() {
      let frame = WALFrame(UnsafeRawBufferPointer(rebasing: chunk[offset...]))
      guard isLast(frame, number: first + number) else { continue }
      let bytes = UnsafeRawBufferPointer(
        rebasing: chunk[(offset + WALFrame.headerBytes)...].prefix(page.count))
      if try isThere(bytes, as: frame.page) { continue }
      if !run.append(bytes, as: frame.page) {
        try write(run)
        run = PageRun(firstPage: frame.page, parts: [bytes])
      }
    }
    try write(run)
  }

  private func isLast(_ frame: WALFrame, number: Int) -> Bool {
    frame.page <= index.databasePages && index.lastFrame[frame.page] == UInt32(truncatingIfNeeded: number)
  }

  private mutating func isThere(_ bytes: UnsafeRawBufferPointer, as number: UInt32) throws -> Bool {
    guard foundNothingNew else { return false }
    let offset = Int(number - 1) * page.count
    let count = try InputFile.read(database.descriptor, into: page, at: offset, path: database.path)
    foundNothingNew = count == page.count && UnsafeRawBufferPointer(page).hasSameBytes(as: bytes)
    return foundNothingNew
  }

  private func write(_ run: PageRun) throws {
    guard !run.parts.isEmpty else { return }
    try database.write(run.parts, at: Int(run.firstPage - 1) * page.count)
  }
}

private struct PageRun {
  private(set) var firstPage: UInt32 = 0
  private(set) var parts: [UnsafeRawBufferPointer] = []

  mutating func append(_ bytes: UnsafeRawBufferPointer, as page: UInt32) -> Bool {
    if parts.isEmpty { firstPage = page }
    guard Int(page) == Int(firstPage) + parts.count else { return false }
    parts.append(bytes)
    return true
  }
}
