import ExhibitSystem

/// The serial types of a record's values.
///
/// Source: https://www.sqlite.org/fileformat2.html, section 2.1.
struct RecordHeader {
  private(set) var types: [UInt64] = []
  private(set) var byteCount = 0

  init(of row: StoredRow, limit: Int = Int.max) throws {
    let damage = DamagedPage(row.page.number, .record)
    let size = try row.withPrefix(9) { bytes in
      var offset = 0
      return bytes.varint(&offset, end: bytes.count)
    }
    guard let size, size > 0, size <= UInt64(row.payloadBytes) else { throw damage }
    byteCount = Int(size)
    types = try row.withPrefix(byteCount) { bytes in
      var types: [UInt64] = []
      var offset = 0
      _ = bytes.varint(&offset, end: bytes.count)
      while offset < bytes.count, types.count < limit {
        guard let type = bytes.varint(&offset, end: bytes.count), type != 10, type != 11 else { throw damage }
        types.append(type)
      }
      return types
    }
  }

  static func byteCount(of type: UInt64) -> Int {
    switch type {
    case 0, 8, 9: 0
    case 1...4: Int(type)
    case 5: 6
    case 6, 7: 8
    default: Int((type - 12) / 2)
    }
  }
}

extension StoredRow {
  /// A record's values: fewer in one older than `ALTER TABLE ADD COLUMN`, NULL for an `INTEGER PRIMARY KEY`.
  ///
  /// - Parameters:
  ///   - bytes: The most bytes of a text or blob to keep.
  ///   - columns: The most values to decode.
  package func values(keeping bytes: Int = Int.max, columns: Int = Int.max) throws -> [DatabaseValue] {
    let header = try RecordHeader(of: self, limit: columns)
    var reader = try PayloadReader(self, from: header.byteCount)
    var values: [DatabaseValue] = []
    values.reserveCapacity(header.types.count)
    for type in header.types { values.append(try reader.value(type, keeping: bytes)) }
    return values
  }
}

private struct PayloadReader {
  private var pieces: PayloadPieces
  private var piece = UnsafeRawBufferPointer(start: nil, count: 0)
  private let encoding: DatabaseState.Encoding
  private let damage: DamagedPage
  private var left: Int

  init(_ row: StoredRow, from offset: Int) throws {
    pieces = PayloadPieces(row)
    encoding = row.state.encoding
    damage = DamagedPage(row.page.number, .record)
    left = row.payloadBytes
    try take(offset) { _ in }
  }

  private mutating func take(_ count: Int, _ body: (UnsafeRawBufferPointer) -> Void) throws {
    guard count <= left else { throw damage }
    left -= count
    var wanted = count
    while wanted > 0 {
      if piece.isEmpty {
        guard let next = try pieces.next() else { throw damage }
        piece = next
      }
      let part = UnsafeRawBufferPointer(rebasing: piece.prefix(wanted))
      body(part)
      wanted -= part.count
      piece = UnsafeRawBufferPointer(rebasing: piece.dropFirst(part.count))
    }
  }

  mutating func value(_ type: UInt64, keeping limit: Int) throws -> DatabaseValue {
    switch type {
    case 0: return .null
    case 1...6: return .integer(try integer(RecordHeader.byteCount(of: type)))
    case 7:
      let real = Double(bitPattern: UInt64(bitPattern: try integer(8)))
      // SQLite reads a NaN as NULL.
      return real.isNaN ? .null : .real(real)
    case 8, 9: return .integer(Int64(type) - 8)
    default: return try bytes(RecordHeader.byteCount(of: type), isText: type & 1 == 1, keeping: limit)
    }
  }

  private mutating func integer(_ count: Int) throws -> Int64 {
    var value: Int64 = 0
    var isFirst = true
    try take(count) { part in
      for byte in part {
        value = isFirst ? Int64(Int8(bitPattern: byte)) : value << 8 | Int64(byte)
        isFirst = false
      }
    }
    return value
  }

  private mutating func bytes(_ count: Int, isText: Bool, keeping limit: Int) throws -> DatabaseValue {
    // Checked before anything is allocated.
    guard count <= left else { throw damage }
    var kept: [UInt8] = []
    kept.reserveCapacity(min(count, limit))
    let isCut = count > limit
    var digest = StableHash()
    try take(count) { part in
      if kept.count < limit { kept += part.prefix(limit - kept.count) }
      if isCut { digest.add(part) }
    }
    let whole = isCut ? DatabaseValue.Whole(bytes: count, digest: digest.value) : nil
    return isText ? .text(text(kept, isCut: isCut), whole: whole) : .blob(kept, whole: whole)
  }

  private func text(_ bytes: [UInt8], isCut: Bool) -> String {
    guard encoding != .utf8 else {
      return isCut ? String(wholeScalarsOf: bytes) : String(decoding: bytes, as: UTF8.self)
    }
    let isLittle = encoding == .utf16LittleEndian
    var units = stride(from: 0, to: bytes.count & ~1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    if isCut, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
    return String(decoding: units, as: UTF16.self)
  }
}
