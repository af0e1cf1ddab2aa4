/// The directory at the end of a zip, as it grows.
///
/// Source: PKWARE's APPNOTE.TXT 6.3.9, 4.3.12 to 4.3.16.
struct ZipDirectory {
  /// Records in pieces of this size: an array that doubles would need three times its memory.
  private static let pieceBytes = 1 << 16
  private var pieces: [[UInt8]] = []
  private(set) var entries = 0
  private var bytes = 0

  mutating func append(_ entry: ZipEntry) {
    let record = entry.directoryRecord()
    if pieces.last.map({ $0.count + record.count > Self.pieceBytes }) ?? true {
      pieces.append([])
      pieces[pieces.count - 1].reserveCapacity(Self.pieceBytes)
    }
    pieces[pieces.count - 1] += record
    entries += 1
    bytes += record.count
  }

  /// What stands behind the last entry, piece by piece.
  func write(at offset: Int, _ body: ([UInt8]) throws -> Void) rethrows {
    for piece in pieces { try body(piece) }
    let isLarge = max(offset, bytes) >= ZipFormat.largeSize || entries >= ZipFormat.largeCount
    try body((isLarge ? largeEnd(at: offset) : []) + end(at: offset))
  }

  /// The end for numbers of 64 bits, and where it lies.
  private func largeEnd(at offset: Int) -> [UInt8] {
    var record = ZipFormat.bytes(0x0606_4B50, 4)
    record += ZipFormat.bytes(44, 8)  // bytes of the record from here on
    record += ZipFormat.bytes(ZipFormat.madeByUnix | ZipFormat.version, 2)
    record += ZipFormat.bytes(ZipFormat.version, 2)
    record += ZipFormat.bytes(0, 8)  // the first disk, twice
    record += [entries, entries, bytes, offset].flatMap { ZipFormat.bytes($0, 8) }
    record += ZipFormat.bytes(0x0706_4B50, 4)
    record += ZipFormat.bytes(0, 4)  // on the first disk
    return record + ZipFormat.bytes(offset + bytes, 8) + ZipFormat.bytes(1, 4)
  }

  private func end(at offset: Int) -> [UInt8] {
    let count = ZipFormat.bytes(min(entries, ZipFormat.largeCount), 2)
    var record = ZipFormat.bytes(0x0605_4B50, 4) + ZipFormat.bytes(0, 4)
    record += count + count
    record += ZipFormat.bytes(min(bytes, ZipFormat.largeSize), 4)
    record += ZipFormat.bytes(min(offset, ZipFormat.largeSize), 4)
    return record + ZipFormat.bytes(0, 2)  // no comment
  }
}
