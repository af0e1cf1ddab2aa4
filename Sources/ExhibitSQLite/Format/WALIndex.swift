package import ExhibitSystem

/// The committed frames of a WAL and the place of each page's last one, as SQLite's recovery finds them.
package struct WALIndex {
  package let header: WALHeader
  package private(set) var frames = Frames()
  /// The size of the database after the last commit, in pages.
  package private(set) var databasePages: UInt32 = 0
  /// The number of the last committed frame of every page, from 0.
  package private(set) var lastFrame: [UInt32: UInt32] = [:]

  /// The number of frames of each sort.
  package struct Frames: Sendable, Equatable {
    package var committed = 0
    /// The number of transactions that the committed frames belong to.
    package var transactions = 0
    /// Valid frames after the last commit.
    package var uncommitted = 0
    /// True when a frame follows that is not whole: cut off, damaged, or left over from a transaction rolled back.
    package var isBroken = false
  }

  package var frameBytes: Int { WALFrame.headerBytes + header.pageSize }

  /// Reads the WAL once, checking salts and checksums up to the first frame that is not valid.
  ///
  /// - Parameters:
  ///   - bytes: The number of bytes of the file that count.
  ///   - onCommit: Called for each transaction in order with the pages of its frames, and the size of the database
  ///     after it, in pages.
  /// - Returns: `nil` when the file does not begin with a header that SQLite reads.
  package init?(
    of file: some ReadableFile, bytes: Int, onCommit: ([UInt32], UInt32) -> Void = { _, _ in }
  ) throws {
    guard let header = WALHeader(try file.bytes(min(bytes, WALHeader.byteCount))) else { return nil }
    self.header = header
    var pending = PendingFrames(checksum: header.checksum)
    let chunks = WALChunks(frameBytes: frameBytes, frames: (bytes - WALHeader.byteCount) / frameBytes)
    try chunks.read(file) { first, chunk in
      add(chunk, first: first, to: &pending, onCommit)
      return !pending.haveEnded
    }
    frames.uncommitted = pending.pages.count
    let end = WALHeader.byteCount + (frames.committed + frames.uncommitted) * frameBytes
    frames.isBroken = try isBroken(file, from: end, to: bytes)
  }

  /// Valid frames whose transaction has not been seen to commit.
  private struct PendingFrames {
    var checksum: WALChecksum
    var pages: [UInt32] = []
    var haveEnded = false
  }

  private mutating func add(
    _ chunk: UnsafeRawBufferPointer, first: Int, to pending: inout PendingFrames,
    _ onCommit: ([UInt32], UInt32) -> Void
  ) {
    for offset in stride(from: 0, to: chunk.count, by: frameBytes) {
      let bytes = UnsafeRawBufferPointer(rebasing: chunk[offset..<offset + frameBytes])
      let frame = WALFrame(bytes)
      guard frame.continues(&pending.checksum, of: header, bytes: bytes) else {
        pending.haveEnded = true
        return
      }
      pending.pages.append(frame.page)
      guard frame.databasePages > 0 else { continue }
      onCommit(pending.pages, frame.databasePages)
      commit(&pending, databasePages: frame.databasePages)
    }
  }

  private mutating func commit(_ pending: inout PendingFrames, databasePages: UInt32) {
    for (offset, page) in pending.pages.enumerated() {
      lastFrame[page] = UInt32(truncatingIfNeeded: frames.committed + offset)
    }
    frames.committed += pending.pages.count
    frames.transactions += 1
    self.databasePages = databasePages
    pending.pages.removeAll(keepingCapacity: true)
  }

  /// True when the first frame that is not valid was written since the last reset, or is not there whole.
  private func isBroken(_ file: some ReadableFile, from start: Int, to end: Int) throws -> Bool {
    guard end > start else { return false }
    guard end - start >= WALFrame.headerBytes else { return true }
    let bytes = try file.bytes(WALFrame.headerBytes, at: start)
    return bytes.withUnsafeBytes { WALFrame($0).belongs(to: header) }
  }
}

/// The frames of a WAL, many at a time.
package struct WALChunks {
  /// Bytes read at a time.
  private static let chunkBytes = 256 << 10

  package var frameBytes: Int
  /// The number of frames to read.
  package var frames: Int

  package init(frameBytes: Int, frames: Int) {
    self.frameBytes = frameBytes
    self.frames = frames
  }

  /// Calls `body` with the number of a chunk's first frame and its bytes, until it returns `false`.
  package func read(_ file: some ReadableFile, _ body: (Int, UnsafeRawBufferPointer) throws -> Bool) throws {
    let framesAtOnce = max(1, Self.chunkBytes / frameBytes)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: framesAtOnce * frameBytes, alignment: 4096)
    defer { buffer.deallocate() }
    for first in stride(from: 0, to: frames, by: framesAtOnce) {
      let count = min(framesAtOnce, frames - first)
      let chunk = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(count * frameBytes))
      try file.fill(chunk, at: WALHeader.byteCount + first * frameBytes)
      guard try body(first, UnsafeRawBufferPointer(chunk)) else { return }
    }
  }
}
