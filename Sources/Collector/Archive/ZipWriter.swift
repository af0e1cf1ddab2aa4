import ExhibitCSystem
import ExhibitSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A zip, compressed by zlib in blocks on several threads, as `pigz` does it.
///
/// libarchive writes zips too, but on one thread, and 95 % of its time is zlib's.
package final class ZipWriter: ArchiveWriter {
  private let output: OutputFile
  private let library: DeflateLibrary
  private let queue: DeflateQueue
  /// Where the next bytes go.
  private var position = 0
  private var directory = ZipDirectory()
  /// Blocks that can be filled again.
  private var free: [DeflateBlock] = []
  package private(set) var entries = 0
  let takesWhatThereIs = true

  /// Creates the file.
  ///
  /// - Throws: `ArchiveError` or `SystemError`.
  package init(creating path: String, processors: Int) throws {
    library = try DeflateLibrary.loaded()
    queue = try DeflateQueue(library, processors: processors)
    output = try OutputFile(creating: path)
  }

  package func addDirectory(_ name: String) throws {
    try add(ZipEntry("\(name)/", mode: S_IFDIR | 0o700, bytes: 0, isStored: true)) { _ in }
  }

  package func addLink(_ name: String, to target: String) throws {
    let bytes = Array(target.utf8)
    let entry = try ZipEntry(name, mode: S_IFLNK | 0o777, bytes: bytes.count, isStored: true)
    try add(entry) { write in try bytes.withUnsafeBytes { try write($0) } }
  }

  package func addFile(
    _ name: String, bytes: Int, isExecutable: Bool,
    _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    let mode: mode_t = S_IFREG | (isExecutable ? 0o700 : 0o600)
    try add(ZipEntry(name, mode: mode, bytes: bytes, isStored: bytes == 0), body)
  }

  package func finish() throws {
    try queue.drain { try write($0) }
    queue.close()
    try output.truncate(to: position)  // what was left out may have been longer
    try directory.write(at: position) { try write($0) }
  }

  // MARK: Filling blocks

  private func add(
    _ entry: ZipEntry, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    var block = block(of: entry, after: nil)
    do {
      try body { try append($0, to: &block) }
    } catch {
      try leaveOut(entry, at: block)
      throw error
    }
    block.isLast = true
    try queue.add(block) { try write($0) }
    entries += 1
  }

  private func append(_ bytes: UnsafeRawBufferPointer, to block: inout DeflateBlock) throws {
    var rest = bytes
    while !rest.isEmpty {
      if block.isFull {
        // Its successor looks back into it, so it is begun first.
        let next = self.block(of: block.entry, after: block)
        try queue.add(block) { try write($0) }
        block = next
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(block.append(rest)))
    }
  }

  /// Takes back what was written of an entry.
  private func leaveOut(_ entry: ZipEntry, at block: DeflateBlock) throws {
    try queue.drain { try write($0) }
    if !block.isFirst { position = entry.offset }
    free.append(block)
  }

  private func block(of entry: ZipEntry, after previous: DeflateBlock?) -> DeflateBlock {
    let block = free.popLast() ?? DeflateBlock(of: entry)
    block.begin(entry, after: previous)
    return block
  }

  // MARK: Writing blocks, in their order

  private func write(_ block: DeflateBlock) throws {
    if let failure = block.failure { throw failure }
    let (entry, contents) = (block.entry, block.contents)
    if block.isFirst {
      entry.offset = position
      position += entry.headerBytes
    }
    entry.add(block.count, checksum: block.checksum, compressed: contents.count, library)
    let start = position
    position += contents.count
    if block.isLast {
      try writeHeader(of: entry, with: block.isFirst ? contents : nil)
      directory.append(entry)
    }
    if !(block.isFirst && block.isLast) { try output.write([contents], at: start) }
    free.append(block)
  }

  /// Writes the header when everything in it is known, and with it contents that are one block.
  private func writeHeader(of entry: ZipEntry, with contents: UnsafeRawBufferPointer?) throws {
    try entry.localHeader().withUnsafeBytes { header in
      try output.write([header] + (contents.map { [$0] } ?? []), at: entry.offset)
    }
  }

  private func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try output.write([$0], at: position) }
    position += bytes.count
  }
}
