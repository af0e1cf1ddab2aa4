package import ExhibitSystem

/// Reads the build id that a linker put into an ELF file; `nil` for a file without one.
///
/// The file is untrusted; only notes of 64-bit little-endian files are read.
///
/// Source: System V ABI, "ELF Header", "Program Header" and "Note Sections"; glibc, elf.h.
///
/// - Returns: Lower-case hexadecimal.
package func buildID(of file: some ReadableFile) throws -> String? {
  let size = try file.size()
  guard let header = try ELFBytes(of: file, at: 0, count: 64, size: size),
    header.bytes.starts(with: [0x7F, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F"), 2, 1]),
    let segments = header.integer(UInt64.self, at: 32), let entry = header.integer(UInt16.self, at: 54),
    let count = header.integer(UInt16.self, at: 56), entry == 56, count <= 1024,
    let table = try ELFBytes(of: file, at: segments, count: UInt64(count) * 56, size: size)
  else { return nil }
  for start in stride(from: 0, to: table.bytes.count, by: 56) {
    guard table.integer(UInt32.self, at: start) == noteSegment,
      let offset = table.integer(UInt64.self, at: start + 8),
      let count = table.integer(UInt64.self, at: start + 32), count <= 1 << 16,
      let alignment = table.integer(UInt64.self, at: start + 48),
      let notes = try ELFBytes(of: file, at: offset, count: count, size: size)
    else { continue }
    if let id = notes.buildID(alignment: alignment == 8 ? 8 : 4) { return hexadecimal(id) }
  }
  return nil
}

/// `PT_NOTE`.
private let noteSegment: UInt32 = 4
/// `NT_GNU_BUILD_ID`.
private let buildIDNote: UInt32 = 3

private struct ELFBytes {
  let bytes: [UInt8]

  init?(of file: some ReadableFile, at offset: UInt64, count: UInt64, size: Int) throws {
    let (end, isTooLarge) = offset.addingReportingOverflow(count)
    guard !isTooLarge, end <= UInt64(size) else { return nil }
    var part = [UInt8](repeating: 0, count: Int(count))
    try part.withUnsafeMutableBytes { try file.fill($0, at: Int(offset)) }
    bytes = part
  }

  func integer<Integer: FixedWidthInteger & UnsignedInteger>(_ type: Integer.Type, at offset: Int) -> Integer?
  {
    guard offset >= 0, offset + MemoryLayout<Integer>.size <= bytes.count else { return nil }
    return bytes.withUnsafeBytes {
      Integer(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Integer.self))
    }
  }

  /// The first build id of 1 to 64 bytes.
  func buildID(alignment: Int) -> ArraySlice<UInt8>? {
    func aligned(_ place: Int) -> Int { (place + alignment - 1) & -alignment }
    var place = 0
    while let nameCount = integer(UInt32.self, at: place), let count = integer(UInt32.self, at: place + 4),
      let type = integer(UInt32.self, at: place + 8)
    {
      let name = place + 12
      let content = aligned(name + Int(nameCount))
      let end = content + Int(count)
      guard end <= bytes.count else { return nil }
      if type == buildIDNote, (1...64).contains(count), bytes[name..<content].starts(with: "GNU\0".utf8),
        nameCount == 4
      {
        return bytes[content..<end]
      }
      place = aligned(end)
    }
    return nil
  }
}
