import ExhibitSQLite
import ExhibitSystem

/// Reads a ring's bytes in order; its functions return `nil` where these end too early.
///
/// It must not outlive the buffer.
struct TraceBytes {
  private let bytes: UnsafeRawBufferPointer
  private var place: Int
  private var limit: Int

  init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
    self.bytes = bytes
    place = max(0, range.lowerBound)
    limit = min(bytes.count, range.upperBound)
  }

  struct Header {
    var size: UInt32
    var kind: UInt16
    var flags: UInt16
    var position: UInt64
    var time: UInt64
    var test: UInt32
    var connection: UInt32
  }

  var count: Int { limit - place }

  mutating func integer<Integer: FixedWidthInteger & UnsignedInteger>(_ type: Integer.Type) -> Integer? {
    let count = MemoryLayout<Integer>.size
    guard limit - place >= count else { return nil }
    defer { place += count }
    return Integer(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Integer.self))
  }

  private mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer.SubSequence? {
    guard count >= 0, limit - place >= count else { return nil }
    defer { place += count }
    return bytes[place..<place + count]
  }

  mutating func string() -> String? {
    guard let count = integer(UInt32.self), let bytes = bytes(Int(count)) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  mutating func header() -> Header? {
    guard let size = integer(UInt32.self), let kind = integer(UInt16.self), let flags = integer(UInt16.self),
      let position = integer(UInt64.self), let time = integer(UInt64.self), let test = integer(UInt32.self),
      let connection = integer(UInt32.self)
    else { return nil }
    return Header(
      size: size, kind: kind, flags: flags, position: position, time: time, test: test, connection: connection
    )
  }

  /// Added to the kind of a rewritten record.
  private static let again: UInt16 = 0x8000

  mutating func content(of header: inout Header) -> TraceRecord.Content? {
    if header.kind & Self.again != 0 {
      guard let position = integer(UInt64.self), position < header.position else { return nil }
      (header.kind, header.position) = (header.kind ^ Self.again, position)
    }
    return switch header.kind {
    case 1: text(at: header.position)
    case 2: opening().map { .opened(stack: $0) }
    case 3: opening().map { .closed(stack: $0) }
    case 4: stack(at: header.position)
    case 5: code(at: header.position)
    case 10: step(flags: header.flags)
    case 11: trigger()
    case 12: columns()
    case 13: row()
    case 14: change(flags: header.flags)
    case 15: end(flags: header.flags)
    case 16: failure()
    case 17: boundValues()
    case 18: overwritten()
    case 20: .began
    case 21: .ended
    case 22: integer(UInt64.self).map { .issue(Int(clamping: $0)) }
    case 23: .baseline
    case 24: string().map { .cleared($0) }
    default: .unknown(header.kind)
    }
  }

  /// The name of a record that others refer to; of its first record, the position.
  private mutating func name(at position: UInt64) -> UInt64? {
    integer(UInt64.self).map { $0 == .max ? position : $0 }
  }

  private mutating func text(at position: UInt64) -> TraceRecord.Content? {
    guard let name = name(at: position), let size = integer(UInt32.self), let text = string() else {
      return nil
    }
    return .text(name: name, TraceText(text, size: Int(size)))
  }

  private mutating func stack(at position: UInt64) -> TraceRecord.Content? {
    guard let name = name(at: position), integer(UInt32.self) != nil, let size = integer(UInt32.self),
      size % 8 == 0, Int(size) <= count
    else { return nil }
    return .stack(name: name, TraceStack((0..<size / 8).compactMap { _ in integer(UInt64.self) }))
  }

  private mutating func code(at position: UInt64) -> TraceRecord.Content? {
    guard let name = name(at: position), integer(UInt32.self) != nil, integer(UInt32.self) != nil,
      let begin = integer(UInt64.self), let end = integer(UInt64.self), let bias = integer(UInt64.self),
      let size = integer(UInt64.self), let changedAt = integer(UInt64.self),
      let idCount = integer(UInt16.self), let pathCount = integer(UInt16.self), integer(UInt32.self) != nil,
      let id = bytes(Int(idCount)), let path = bytes(Int(pathCount))
    else { return nil }
    return .code(
      TraceCode(
        name: name, begin: begin, end: end, bias: bias, size: size, changedAt: changedAt,
        buildID: hexadecimal(id), path: String(decoding: path, as: UTF8.self)))
  }

  private mutating func opening() -> UInt64?? {
    integer(UInt64.self).map { $0 == .max ? nil : $0 }
  }

  private mutating func step(flags: UInt16) -> TraceRecord.Content? {
    guard let number = integer(UInt64.self), let text = integer(UInt64.self),
      let stack = integer(UInt64.self), let expanded = string()
    else { return nil }
    var step = TraceRecord.Step(
      number: number, text: text, stack: stack == .max ? nil : stack,
      expanded: expanded.isEmpty ? nil : expanded, isReadOnly: flags & 1 != 0,
      hadAutocommit: flags & 2 != 0, isWithheld: flags & 4 != 0)
    guard skip(to: Self.shortEnd), readEnd(of: &step) else { return nil }
    return .step(step)
  }

  private static let shortEnd = 24

  private mutating func skip(to rest: Int) -> Bool {
    guard (rest..<rest + 8).contains(count) else { return false }
    place = limit - rest
    return true
  }

  private mutating func readEnd(of step: inout TraceRecord.Step) -> Bool {
    guard let nanoseconds = integer(UInt32.self), let rows = integer(UInt32.self),
      let changed = integer(UInt32.self), let changes = integer(UInt16.self),
      let unkept = integer(UInt16.self), let ordinal = integer(UInt32.self),
      let state = integer(UInt32.self)
    else { return false }
    step.ordinal = ordinal == 0 ? nil : UInt64(ordinal)
    guard state != 0 else { return true }
    let flags = UInt16(truncatingIfNeeded: state >> 8)
    step.end = TraceRecord.End(
      step: step.number, nanoseconds: UInt64(nanoseconds), rows: UInt64(rows),
      changed: changed == .max ? nil : UInt64(changed), changes: UInt64(changes), unkept: UInt64(unkept),
      hasAutocommit: state & 2 != 0, untold: RecordedStory.UntoldRows(flags: flags), wasIdle: flags & 64 != 0)
    return true
  }

  private mutating func boundValues() -> TraceRecord.Content? {
    guard let step = integer(UInt64.self), let text = string() else { return nil }
    return .values(step: step, text: text)
  }

  private mutating func overwritten() -> TraceRecord.Content? {
    guard let text = integer(UInt64.self), let stack = integer(UInt64.self),
      let steps = integer(UInt64.self), let rows = integer(UInt64.self), let first = integer(UInt64.self),
      let last = integer(UInt64.self)
    else { return nil }
    return .overwritten(
      TraceRecord.Overwritten(
        text: text, stack: stack == .max ? nil : stack, steps: steps, rows: rows, first: first, last: last))
  }

  private mutating func trigger() -> TraceRecord.Content? {
    guard let step = integer(UInt64.self), let name = string() else { return nil }
    return .trigger(step: step, name: name)
  }

  private mutating func columns() -> TraceRecord.Content? {
    guard let step = integer(UInt64.self), let count = integer(UInt16.self) else { return nil }
    var names: [String] = []
    for _ in 0..<count {
      guard let name = string() else { return nil }
      names.append(name)
    }
    return .columns(step: step, names: names)
  }

  private mutating func row() -> TraceRecord.Content? {
    guard let step = integer(UInt64.self), integer(UInt64.self) != nil, let count = integer(UInt16.self),
      let values = values(Int(count))
    else { return nil }
    return .row(step: step, values: values)
  }

  private mutating func change(flags: UInt16) -> TraceRecord.Content? {
    guard let step = integer(UInt64.self),
      let operation = integer(UInt8.self).flatMap(RowOperation.init(code:)),
      let depth = integer(UInt8.self), let blob = integer(UInt16.self), let key = integer(UInt64.self),
      let newKey = integer(UInt64.self), let schema = string(), let table = string(),
      let count = integer(UInt16.self)
    else { return nil }
    let (old, new) = (Int64(bitPattern: key), Int64(bitPattern: newKey))
    let hasRowid = flags & 1 == 0
    var change = RecordedStory.Change(
      operation: operation, schema: schema, table: table, depth: Int(depth),
      key: !hasRowid ? nil : operation == .insert ? new : old,
      newKey: operation == .update && new != old ? new : nil,
      blobColumn: Int16(bitPattern: blob) < 0 ? nil : Int(blob))
    if operation != .insert {
      guard let values = values(Int(count)) else { return nil }
      change.old = values
    }
    if operation != .delete {
      guard let values = values(Int(count)) else { return nil }
      change.new = values
    }
    return .change(step: step, change)
  }

  private mutating func end(flags: UInt16) -> TraceRecord.Content? {
    guard let step = integer(UInt64.self), let nanoseconds = integer(UInt64.self),
      let rows = integer(UInt64.self),
      let changed = integer(UInt64.self), let changes = integer(UInt64.self),
      let unkept = integer(UInt64.self),
      let autocommit = integer(UInt8.self)
    else { return nil }
    return .end(
      TraceRecord.End(
        step: step, nanoseconds: nanoseconds, rows: rows, changed: changed == .max ? nil : changed,
        changes: changes, unkept: unkept, hasAutocommit: autocommit != 0,
        untold: RecordedStory.UntoldRows(flags: flags), wasIdle: flags & 64 != 0))
  }

  private mutating func failure() -> TraceRecord.Content? {
    guard let step = integer(UInt64.self), let code = integer(UInt32.self), let message = string() else {
      return nil
    }
    return .error(step: step, .init(code: Int(Int32(bitPattern: code)), message: message))
  }

  /// `nil` for a value that SQLite did not give.
  private mutating func values(_ count: Int) -> [DatabaseValue?]? {
    var values: [DatabaseValue?] = []
    for _ in 0..<count {
      guard let value = value() else { return nil }
      values.append(value)
    }
    return values
  }

  /// The first byte is SQLite's type code, or 0.
  private mutating func value() -> DatabaseValue?? {
    switch integer(UInt8.self) {
    case 0: .some(nil)
    case 1: integer(UInt64.self).map { .integer(Int64(bitPattern: $0)) }
    case 2: integer(UInt64.self).map { .real(Double(bitPattern: $0)) }
    case 3: sized().map(Self.text)
    case 4: sized().map { .blob(Array($0.bytes), of: $0.size) }
    case 5: .some(.null)
    default: nil
    }
  }

  private mutating func sized() -> (size: Int, bytes: UnsafeRawBufferPointer.SubSequence)? {
    guard let size = integer(UInt32.self), let kept = integer(UInt32.self), kept <= size,
      let bytes = bytes(Int(kept))
    else { return nil }
    return (Int(size), bytes)
  }

  /// Invalid UTF-8 is replaced, by more bytes.
  private static func text(size: Int, bytes: UnsafeRawBufferPointer.SubSequence) -> DatabaseValue {
    bytes.count == size
      ? .text(String(decoding: bytes, as: UTF8.self))
      : .text(String(wholeScalarsOf: bytes), whole: .init(bytes: size))
  }
}

extension RecordedStory.UntoldRows {
  fileprivate init?(flags: UInt16) {
    if flags & 8 != 0 {
      self = .updateHook
    } else if flags & 16 != 0 {
      self = .progressHandler
    } else {
      return nil
    }
  }
}
