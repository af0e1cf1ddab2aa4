/// A piece of a file on its way into a zip.
///
/// Unchecked: only one thread at a time has it, the writer's before it is queued and after it is finished, in between
/// that which compresses it; the queue's lock lies between them.
final class DeflateBlock: @unchecked Sendable {
  /// That of `pigz`, with which it is compared.
  ///
  /// Another size gives other bytes.
  static let byteCount = 128 << 10
  /// How far deflate looks back.
  static let dictionaryBytes = 32 << 10

  private let memory = UnsafeMutableRawBufferPointer.allocate(
    byteCount: dictionaryBytes + byteCount, alignment: 16)
  private var compressed: UnsafeMutableRawBufferPointer?
  private var compressedCount = 0
  private var dictionaryCount = 0
  private(set) var count = 0
  private(set) var checksum: UInt32 = 0
  /// Why it was not compressed.
  var failure: (any Error)?
  /// What the block belongs to.
  private(set) var entry: ZipEntry
  private(set) var isFirst = true
  var isLast = false
  /// Of the queue, and reached under its lock only.
  var isFinished = false

  init(of entry: ZipEntry) {
    self.entry = entry
  }

  deinit {
    memory.deallocate()
    compressed?.deallocate()
  }

  /// Makes it an empty block of `entry`, behind another one of it.
  func begin(_ entry: ZipEntry, after previous: DeflateBlock?) {
    (count, dictionaryCount, failure, isFinished) = (0, 0, nil, false)
    (self.entry, isFirst, isLast) = (entry, previous == nil, false)
    guard let previous else { return }
    let tail = previous.bytes.suffix(Self.dictionaryBytes)
    dictionaryCount = tail.count
    dictionary.copyMemory(from: UnsafeRawBufferPointer(rebasing: tail))
  }

  private var dictionary: UnsafeMutableRawBufferPointer {
    .init(rebasing: memory[..<Self.dictionaryBytes].suffix(dictionaryCount))
  }
  private var bytes: UnsafeMutableRawBufferPointer {
    .init(rebasing: memory[Self.dictionaryBytes...].prefix(count))
  }

  /// Takes as many bytes as fit.
  ///
  /// - Returns: how many.
  func append(_ bytes: UnsafeRawBufferPointer) -> Int {
    let part = bytes.prefix(Self.byteCount - count)
    UnsafeMutableRawBufferPointer(rebasing: memory[(Self.dictionaryBytes + count)...])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
    count += part.count
    return part.count
  }

  var isFull: Bool { count == Self.byteCount }

  /// What goes into the archive.
  var contents: UnsafeRawBufferPointer {
    guard let compressed, !entry.isStored else { return UnsafeRawBufferPointer(bytes) }
    return UnsafeRawBufferPointer(rebasing: compressed.prefix(compressedCount))
  }

  /// Compresses it, or finds out why not.
  func compress(_ deflater: Deflater) {
    checksum = deflater.checksum(bytes)
    guard !entry.isStored else { return }
    let output = compressed ?? .allocate(byteCount: deflater.bound(Self.byteCount), alignment: 16)
    compressed = output
    do {
      compressedCount = try deflater.deflate(bytes, after: dictionary, isLast: isLast, into: output)
    } catch {
      failure = error
    }
  }
}
