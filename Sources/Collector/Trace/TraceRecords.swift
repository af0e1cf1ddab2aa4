/// Reads the undamaged records of a ring.
///
/// Each says where it stands, and ends with a sum of what decides whose it is, so that records behind damage
/// and beyond the header are found. A process that dies while it rewrites a record may leave both.
struct TraceRecords {
  private let bytes: UnsafeRawBufferPointer
  private let room: UInt64
  private let first: UInt64
  private let end: UInt64
  /// Bytes of damaged records that are looked into; who makes records inside of records gets no further.
  private var patience: UInt64

  private(set) var records: [TraceRecord] = []
  private var isInOrder = true
  private(set) var damage: TraceDamage?
  private(set) var hasChanges = false
  /// By the numbers of the others.
  private(set) var leastOverwritten: UInt64 = 0
  private var lastStep: UInt64?
  private var begun: UInt64 = 0

  init(bytes: UnsafeRawBufferPointer, room: UInt64, first: UInt64, end: UInt64) {
    self.bytes = bytes
    self.room = room
    self.first = first
    self.end = end
    patience = 8 * room
  }

  mutating func read(from start: UInt64) {
    var position = begin()
    begun = position
    let isPart = start > position && start <= end
    if isPart { position = start }
    while position < end { position = readNext(at: position, until: end) }
    readBehindEnd(from: position)
    if !isInOrder { sort() }
    if !isPart, first > 0, !isCleared { leastOverwritten = records.lazy.compactMap(\.stepsBefore).min() ?? 0 }
  }

  private mutating func sort() {
    records.sort { $0.position < $1.position }
    var kept: [TraceRecord] = []
    kept.reserveCapacity(records.count)
    for record in records {
      // The later copy knows how its step ended.
      if kept.last?.position == record.position { kept.removeLast() }
      kept.append(record)
    }
    records = kept
  }

  private var isCleared: Bool {
    records.contains { if case .cleared = $0.content { true } else { false } }
  }

  private mutating func begin() -> UInt64 {
    let oldest = end > room ? end - room : 0
    // The writer passes over a little more than it overwrites.
    if oldest > 0, first <= oldest + room / 64 + room / 4, header(at: first) != nil {
      return first
    }
    var position = (oldest + 7) & ~7
    while position < first, header(at: position) == nil { position += 8 }
    if position < first { damage = damage ?? TraceDamage() }
    // In the first lap nothing is overwritten.
    if position > 0, end <= room, !isClearing(position) { note(0, position) }
    return position
  }

  private func isClearing(_ position: UInt64) -> Bool { header(at: position)?.kind == 24 }

  private mutating func readNext(at position: UInt64, until limit: UInt64) -> UInt64 {
    let rest = room - position % room
    if rest < UInt64(TraceImage.recordHeader) { return position + rest }
    if var header = header(at: position) {
      let (size, content) = (UInt64(header.size), content(at: position, of: &header))
      if header.kind == 0 || content != nil {
        if let content { add(content, header) }
        return position + size
      }
      patience -= min(patience, size)
    }
    var next = position + 8
    while next < limit, patience == 0 || header(at: next) == nil { next += 8 }
    note(position, next)
    return next
  }

  /// A dying process had written one record more than the header says.
  private mutating func readBehindEnd(from position: UInt64) {
    var (position, count) = (position, 0)
    while position - first < room {
      if room - position % room < UInt64(TraceImage.recordHeader) {
        position += room - position % room
        continue
      }
      guard var header = header(at: position), header.kind == 0 || content(at: position, of: &header) != nil
      else { break }
      position = readNext(at: position, until: position)
      if header.kind != 0 { count += 1 }
    }
    if count > 1 { damage = damage ?? TraceDamage(step: lastStep) }
  }

  private mutating func add(_ content: TraceRecord.Content, _ header: TraceBytes.Header) {
    switch content {
    case .step(let step): lastStep = step.number
    case .change: hasChanges = true
    default: break
    }
    if let last = records.last, last.position >= header.position { isInOrder = false }
    records.append(record(content, header))
  }

  private func record(_ content: TraceRecord.Content, _ header: TraceBytes.Header) -> TraceRecord {
    TraceRecord(
      position: header.position, time: header.time, test: Int(header.test),
      connection: Int(header.connection), content: content)
  }

  private mutating func note(_ position: UInt64, _ next: UInt64) {
    var noted = damage ?? TraceDamage()
    if noted.place == nil {
      noted.place = TraceImage.headerSize + Int(position % room)
      noted.step = lastStep
    }
    noted.bytes += next - position
    damage = noted
  }

  // MARK: - One record

  private func header(at position: UInt64) -> TraceBytes.Header? {
    let start = TraceImage.headerSize + Int(position % room)
    let rest = room - position % room
    guard rest >= UInt64(TraceImage.recordHeader),
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)) == position
    else { return nil }
    var reader = TraceBytes(bytes, in: start..<start + Int(rest))
    guard let header = reader.header(), header.size >= UInt32(TraceImage.recordHeader), header.size % 8 == 0,
      UInt64(header.size) <= rest,
      header.kind != 0 || UInt64(header.size) == rest,
      Self.hasSum(at: position % room, of: room, in: bytes)
    else { return nil }
    return header
  }

  private func content(at position: UInt64, of header: inout TraceBytes.Header) -> TraceRecord.Content? {
    if header.kind == 0 { return nil }
    let start = TraceImage.headerSize + Int(position % room) + TraceImage.recordHeader
    let count = Int(header.size) - TraceImage.recordHeader - TraceSum.size
    var reader = TraceBytes(bytes, in: start..<start + max(0, count))
    guard let content = reader.content(of: &header) else { return nil }
    if case .unknown = content { return content }
    return reader.count < 8 ? content : nil
  }

  /// True when the checksum is right, or for padding without room for one.
  private static func hasSum(at place: UInt64, of room: UInt64, in bytes: UnsafeRawBufferPointer) -> Bool {
    let start = TraceImage.headerSize + Int(place)
    guard room - place >= UInt64(TraceImage.recordHeader) else { return false }
    let size = UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
    let kind = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt16.self))
    if size == UInt64(TraceImage.recordHeader) { return kind == 0 && room - place == size }
    guard size > UInt64(TraceImage.recordHeader), size % 8 == 0, size <= room - place else { return false }
    return TraceSum(of: UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(size)])).isRight
  }

  // MARK: - What records name

  struct Named {
    fileprivate(set) var texts: [UInt64: TraceText] = [:]
    fileprivate(set) var stacks: [UInt64: TraceStack] = [:]
    fileprivate(set) var code: [TraceCode] = []
    fileprivate(set) var overwritten: [TraceRecord] = []

    fileprivate mutating func add(_ record: TraceRecord) {
      switch record.content {
      case .text(let name, let text): texts[name] = text
      case .stack(let name, let stack): stacks[name] = stack
      case .code(let file): if !code.contains(file) { code.append(file) }
      case .overwritten: overwritten.append(record)
      default: break
      }
    }
  }

  private static let namedKinds: Set<UInt16> = [1, 4, 5, 18]

  /// What records refer to, which may be from before the first record read.
  func named(before start: UInt64) -> Named {
    var named = Named()
    // Each record is looked at, and few are read.
    var position = min(begun, end)
    while position < min(start, end) {
      let rest = room - position % room
      guard rest >= UInt64(TraceImage.recordHeader) else {
        position += rest
        continue
      }
      let place = TraceImage.headerSize + Int(position % room)
      let size = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      let kind = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt16.self))
      guard size >= UInt32(TraceImage.recordHeader), size % 8 == 0, UInt64(size) <= rest else {
        position += 8
        continue
      }
      if Self.namedKinds.contains(kind), var header = header(at: position),
        let content = content(at: position, of: &header)
      {
        named.add(record(content, header))
      }
      position += UInt64(size)
    }
    for record in records { named.add(record) }
    return named
  }
}

/// A record's checksum: docs/artifacts-format.md, "The trace".
struct TraceSum {
  static let size = 4

  let isRight: Bool

  init(of record: UnsafeRawBufferPointer) {
    var sum: UInt64 = 0x9E37_79B9_7F4A_7C15
    let last = record.count - Self.size
    for word in 0..<6 {
      sum = (sum ^ Self.word(at: word * 8, of: record, until: last)) &* 0x9FB2_1C65_1E98_DF25
      sum ^= sum >> 32
    }
    let written = UInt32(littleEndian: record.loadUnaligned(fromByteOffset: last, as: UInt32.self))
    isRight = written == UInt32(truncatingIfNeeded: sum)
  }

  private static func word(at place: Int, of record: UnsafeRawBufferPointer, until end: Int) -> UInt64 {
    if place + 8 <= end {
      return UInt64(littleEndian: record.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
    return (place..<max(place, end)).reversed().reduce(0) { $0 << 8 | UInt64(record[$1]) }
  }
}

extension TraceRecord {
  fileprivate var stepsBefore: UInt64? {
    if case .step(let step) = content { step.number - min(1, step.number) } else { nil }
  }
}
