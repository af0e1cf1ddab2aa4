/// What can be read of a ring, whose file may be hostile.
package struct TraceImage: Sendable {
  package enum Fault: Error, Equatable, CustomStringConvertible {
    case notARing
    case older(version: UInt32)
    case newer(version: UInt32)
    case damaged

    package var description: String {
      switch self {
      case .notARing: "It is no ring of Exhibit's."
      case .older(let version):
        "It is of version \(version), earlier than \(TraceImage.version), which this Exhibit reads: run the tests again."
      case .newer(let version): "It is of version \(version), which a later Exhibit reads."
      case .damaged: "Its header does not fit it."
      }
    }
  }

  static let magic = Array("Exhibit trace 1\n".utf8)
  static let headerSize = 4096
  static let version: UInt32 = 3
  /// Bytes before a record's payload.
  static let recordHeader = 32

  /// The process, and its start in clock ticks after boot.
  package let pid: UInt64
  package let startTicks: UInt64
  /// Microseconds since 1970.
  package let madeAt: UInt64
  package let overwrittenSteps: UInt64
  package let tellsChanges: Bool
  package let records: [TraceRecord]
  package let damage: TraceDamage?
  package let texts: [UInt64: TraceText]
  package let stacks: [UInt64: TraceStack]
  package let code: [TraceCode]
  package let overwritten: [TraceRecord]

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
    if version < Self.version { throw .older(version: version) }
    if version > Self.version { throw .newer(version: version) }
    guard headerSize == UInt32(Self.headerSize), room > 0, room % 8 == 0,
      room <= UInt64(bytes.count - Self.headerSize), first <= end, end - first <= room, first % 8 == 0,
      end % 8 == 0, end <= .max - 2 * room
    else { throw .damaged }
    self.pid = pid
    self.startTicks = startTicks
    self.madeAt = madeAt
    var ring = TraceRecords(bytes: bytes, room: room, first: first, end: end)
    ring.read(from: start)
    records = ring.records
    damage = ring.damage
    let named = ring.named(before: start)
    (texts, stacks, code, self.overwritten) = (named.texts, named.stacks, named.code, named.overwritten)
    overwrittenSteps = max(overwritten, ring.leastOverwritten)
    self.tellsChanges = tellsChanges != 0 || ring.hasChanges
  }
}

package struct TraceDamage: Sendable, Equatable {
  /// An offset in the file; `nil` when only the header does not fit.
  package internal(set) var place: Int?
  package internal(set) var bytes: UInt64 = 0
  /// The last step before, of any test.
  package internal(set) var step: UInt64?

  package var sentence: String {
    let behind = step.map { "what came after step \($0) of the process" } ?? "any step"
    guard let place else { return "Its header does not fit its records, so that \(behind) may be missing." }
    return "From byte \(place) on, \(bytes) bytes of it are damaged, so that \(behind) may be missing."
  }
}
