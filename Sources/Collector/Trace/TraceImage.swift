/// What stands in a ring, as a process left it: hostile like every file.
package struct TraceImage: Sendable {
  /// Why a file is no ring, or not one that this version reads.
  package enum Fault: Error, Equatable, CustomStringConvertible {
    case notARing
    case newer(version: UInt32)
    /// The header contradicts itself or the file's size.
    case damaged

    package var description: String {
      switch self {
      case .notARing: "It is no ring of Exhibit's."
      case .newer(let version): "It is of version \(version), which a later Exhibit reads."
      case .damaged: "Its header does not fit it."
      }
    }
  }

  static let magic = Array("Exhibit trace 1\n".utf8)
  static let headerSize = 4096
  /// Bytes before a record's payload.
  static let recordHeader = 32

  /// The id of the process, and the clock ticks after boot at which it started.
  package let pid: UInt64
  package let startTicks: UInt64
  /// Microseconds since 1970 when the ring was made.
  package let madeAt: UInt64
  /// Steps whose beginning was overwritten.
  package let overwrittenSteps: UInt64
  /// Whether changes of rows were told.
  package let tellsChanges: Bool
  /// Oldest first.
  package let records: [TraceRecord]
  /// The position from which on records could not be read; `nil` when all could.
  package let damage: UInt64?
  /// Those that the records' steps name, by position.
  package let texts: [UInt64: TraceText]

  /// Reads a ring.
  ///
  /// - Parameter start: The position of the first record that is wanted, if that is known.
  /// - Throws: `Fault`. Damaged records are no error: what stands before them is read.
  package init(_ bytes: UnsafeRawBufferPointer, from start: UInt64 = 0) throws(Fault) {
    guard bytes.count >= Self.headerSize, bytes.starts(with: Self.magic) else { throw .notARing }
    var header = TraceBytes(bytes, in: 16..<Self.headerSize)
    guard let headerSize = header.integer(UInt32.self), let version = header.integer(UInt32.self),
      let room = header.integer(UInt64.self), let pid = header.integer(UInt64.self),
      let startTicks = header.integer(UInt64.self), header.integer(UInt64.self) != nil,
      let madeAt = header.integer(UInt64.self), let first = header.integer(UInt64.self),
      let end = header.integer(UInt64.self), let overwritten = header.integer(UInt64.self),
      let tellsChanges = header.integer(UInt32.self)
    else { throw .damaged }
    guard version == 1 else { throw .newer(version: version) }
    guard headerSize == UInt32(Self.headerSize), room > 0, room % 8 == 0,
      room <= UInt64(bytes.count - Self.headerSize), first <= end, end - first <= room, first % 8 == 0,
      end % 8 == 0, end <= .max - room
    else { throw .damaged }
    self.pid = pid
    self.startTicks = startTicks
    self.madeAt = madeAt
    overwrittenSteps = overwritten
    self.tellsChanges = tellsChanges != 0
    let ring = Ring(bytes: bytes, room: room, first: first, end: end)
    (records, damage) = ring.records(from: start > first && start <= end ? start : first)
    texts = ring.texts(of: records)
  }
}

/// The data of a ring.
private struct Ring {
  let bytes: UnsafeRawBufferPointer
  let room: UInt64
  let first: UInt64
  let end: UInt64
  /// A byte that is no UTF-8 becomes a character of so many.
  private static let mostGrowth = 3

  func records(from start: UInt64) -> ([TraceRecord], damage: UInt64?) {
    var records: [TraceRecord] = []
    var position = start
    while position < end {
      let rest = room - position % room
      // Nothing fits there, not even padding.
      if rest < UInt64(TraceImage.recordHeader) {
        position += rest
        continue
      }
      guard let (size, record) = record(at: position, rest: rest) else { return (records, position) }
      if let record { records.append(record) }
      position += size
    }
    return (records, nil)
  }

  /// The record at a position, with its size; `nil` instead of padding, and altogether when it is damaged.
  private func record(at position: UInt64, rest: UInt64) -> (size: UInt64, record: TraceRecord?)? {
    let start = TraceImage.headerSize + Int(position % room)
    let most = min(rest, end - position)
    var reader = TraceBytes(bytes, in: start..<start + Int(most))
    guard let header = reader.header(), header.position == position,
      header.size >= UInt32(TraceImage.recordHeader), header.size % 8 == 0, UInt64(header.size) <= most
    else { return nil }
    if header.kind == 0 { return (UInt64(header.size), nil) }
    reader.limit(to: Int(header.size) - TraceImage.recordHeader)
    guard let content = reader.content(of: header) else { return nil }
    let record = TraceRecord(
      position: position, time: header.time, test: Int(header.test), connection: Int(header.connection),
      content: content)
    return (UInt64(header.size), record)
  }

  func texts(of records: [TraceRecord]) -> [UInt64: TraceText] {
    var texts: [UInt64: TraceText] = [:]
    // Texts do not overlap, unless somebody wants them to.
    var rest = Int(room)
    for record in records {
      guard case .step(let step) = record.content, texts[step.text] == nil, rest > 0,
        let text = text(at: step.text)
      else { continue }
      rest -= text.text.utf8.count / Self.mostGrowth
      texts[step.text] = text
    }
    return texts
  }

  /// `nil` when it was overwritten, or is none.
  private func text(at position: UInt64) -> TraceText? {
    guard position >= first, position < end, position % 8 == 0,
      let (_, record) = record(at: position, rest: room - position % room),
      case .text(let text) = record?.content
    else { return nil }
    return text
  }
}
