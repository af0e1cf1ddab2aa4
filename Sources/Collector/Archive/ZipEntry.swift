import Glibc

/// One entry of a zip: what its headers say.
///
/// Source: PKWARE's APPNOTE.TXT 6.3.9, 4.3.7 and 4.3.12, and 4.5.3 for Zip64.
final class ZipEntry {
  private let name: [UInt8]
  private let mode: mode_t
  /// Whether its contents stand in the archive as they are.
  let isStored: Bool
  /// Whether its header has room for sizes of 4 GiB and more, which has to be known beforehand.
  private let isLarge: Bool
  /// Where its header lies in the archive.
  var offset = 0
  private var checksum: UInt32 = 0
  private var bytes = 0
  private var compressedBytes = 0

  /// Takes the mode of a file as `stat` has it.
  ///
  /// - Throws: `ArchiveError` for a name that is too long.
  init(_ name: String, mode: mode_t, bytes: Int, isStored: Bool) throws {
    self.name = Array(name.utf8)
    self.mode = mode
    self.isStored = isStored
    // What cannot be compressed grows by less than this.
    isLarge = bytes + bytes / 1000 + 1024 >= ZipFormat.largeSize
    guard self.name.count <= UInt16.max else {
      throw ArchiveError(message: "A name of \(self.name.count) bytes does not fit into a zip.")
    }
  }

  /// Adds what one block of it became.
  func add(_ bytes: Int, checksum: UInt32, compressed: Int, _ library: DeflateLibrary) {
    self.checksum = library.checksum(of: self.checksum, followedBy: checksum, of: bytes)
    self.bytes += bytes
    compressedBytes += compressed
  }

  var headerBytes: Int { ZipFormat.localHeaderBytes + name.count + (isLarge ? 20 : 0) }

  /// What stands before its contents.
  ///
  /// - Throws: `ArchiveError` when there is more than was said.
  func localHeader() throws -> [UInt8] {
    guard isLarge || max(bytes, compressedBytes) < ZipFormat.largeSize else {
      throw ArchiveError(message: "A file grew above 4 GiB while it was archived.")
    }
    let extra = ZipFormat.extra(isLarge ? [bytes, compressedBytes] : [])
    var header = ZipFormat.bytes(0x0403_4B50, 4)
    header += description(extraBytes: extra.count)
    return header + name + extra
  }

  /// What stands in the directory at the end of the archive.
  func directoryRecord() -> [UInt8] {
    let isFar = offset >= ZipFormat.largeSize
    let extra = ZipFormat.extra((isLarge ? [bytes, compressedBytes] : []) + (isFar ? [offset] : []))
    var record = ZipFormat.bytes(0x0201_4B50, 4)
    record += ZipFormat.bytes(ZipFormat.madeByUnix | ZipFormat.version, 2)
    record += description(extraBytes: extra.count)
    record += [UInt8](repeating: 0, count: 6)  // no comment, on the first disk, not said to be text
    record += ZipFormat.bytes(Int(mode) << 16, 4)
    record += ZipFormat.bytes(isFar ? ZipFormat.largeSize : offset, 4)
    return record + name + extra
  }

  /// What both have in common.
  ///
  /// The time is always the same, so that the same contents give the same bytes.
  private func description(extraBytes: Int) -> [UInt8] {
    var fields = ZipFormat.bytes(isLarge ? ZipFormat.version : ZipFormat.smallVersion, 2)
    fields += ZipFormat.bytes(ZipFormat.namesAreUTF8, 2)
    fields += ZipFormat.bytes(isStored ? 0 : ZipFormat.deflated, 2)
    fields += ZipFormat.bytes(ZipFormat.firstOf1980 << 16, 4)
    fields += ZipFormat.bytes(Int(checksum), 4)
    fields += ZipFormat.bytes(isLarge ? ZipFormat.largeSize : compressedBytes, 4)
    fields += ZipFormat.bytes(isLarge ? ZipFormat.largeSize : bytes, 4)
    return fields + ZipFormat.bytes(name.count, 2) + ZipFormat.bytes(extraBytes, 2)
  }
}

/// Numbers of the format, and how it writes numbers.
enum ZipFormat {
  /// Stands where a size or an offset is in the extra field.
  static let largeSize = 0xFFFF_FFFF
  static let largeCount = 0xFFFF
  static let localHeaderBytes = 30
  /// 4.5: Zip64.
  static let version = 45
  /// 2.0: deflate and folders.
  static let smallVersion = 20
  static let madeByUnix = 3 << 8
  static let namesAreUTF8 = 1 << 11
  static let deflated = 8
  static let firstOf1980 = 1 << 5 | 1

  /// Writes the low `count` bytes, the lowest first.
  static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// The extra field with numbers that have more than 32 bits; empty without any.
  static func extra(_ values: [Int]) -> [UInt8] {
    values.isEmpty ? [] : bytes(1, 2) + bytes(values.count * 8, 2) + values.flatMap { bytes($0, 8) }
  }
}
