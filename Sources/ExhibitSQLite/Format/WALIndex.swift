package import ExhibitSystem

/// A WAL's committed frames and each page's last one, as SQLite's recovery finds them.
package struct WALIndex {
  package let header: WALHeader
  package private(set) var frames = Frames()
  /// After the last commit, in pages.
  package private(set) var databasePages: UInt32 = 0
  /// By page, from 0.
  package private(set) var lastFrame: [UInt32: UInt32] = [:]

  package struct Frames: Sendable, Equatable {
    package var committed = 0
    package var transactions = 0
    package var uncommitted = 0
    /// An invalid frame follows: cut off, damaged, or left of a rollback.
    package var isBroken = false
  }

  package var frameBytes: Int { WALFrame.headerBytes + header.pageSize }

  /// Reads the WAL up to the first invalid frame.
  ///
  /// - Parameters:
  ///   - bytes: How many of the file's bytes count.
  ///   - onCommit: Receives a transaction's pages and the database's size in pages.
  /// - Returns: `nil` when SQLite would not read the header.
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

  /// True when the first invalid frame was written since the last reset, or is incomplete.
  private func isBroken(_ file: some ReadableFile, from start: Int, to end: Int) throws -> Bool {
    guard end > start else { return false }
    guard end - start >= WALFrame.headerBytes else { return true }
    let bytes = try file.bytes(WALFrame.headerBytes, at: start)
    return bytes.withUnsafeBytes { WALFrame($0).belongs(to: header) }
  }
}

/// Reads frames, many at a time.
package struct WALChunks {
  private static let chunkBytes = 256 << 10

  package var frameBytes: Int
  package var frames: Int

  package init(frameBytes: Int, frames: Int) {
    self.frameBytes = frameBytes
    self.frames = frames
  }

  /// Passes the number of a chunk's first frame and its bytes, until `body` returns `false`.
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
