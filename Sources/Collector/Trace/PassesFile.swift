import ExhibitCSystem
package import ExhibitSystem

/// The file of a process with what its tests did that passed: docs/artifacts-format.md, "passes/".
///
/// It is hostile like every file. Entries are whole or are not read: each has a sum.
package enum PassesFile {
  static let magic = Array("Exhibit pass 1\n\0".utf8)
  /// Bytes of an entry before its line.
  package static let headerSize = 40
  /// Bytes of the ring's header in an entry; the others of a ring's are zeros.
  static let ringHeader = 96
  /// The most bytes of an entry, and of the line in it.
  private static let largest = 1 << 30
  private static let largestLine = 1 << 24

  package static func fileName(_ process: ProcessIdentity) -> String {
    "\(process.pid)-\(process.startTicks).passes"
  }

  /// The process of a file's name; `nil` for any other name.
  package static func process(ofFile name: String) -> ProcessIdentity? {
    ProcessIdentity(fileName: name, ending: ".passes")
  }

  /// One test that passed.
  package struct Entry: Sendable, Equatable {
    package var test: TestCaseID { head.test }
    /// Seconds since 1970 when the test began; `nil` where that is not known.
    package var began: Double? { head.began }
    /// The place in the file where it begins, and the number of its bytes.
    package var place: Int
    package var size: Int
    fileprivate var head: PassHead
    fileprivate var lineSize: Int
  }

  /// The reason why an entry has no story, as a sentence.
  package enum Fault: Error, Equatable, CustomStringConvertible {
    case notAPass
    case changed
    case unreadable(TraceImage.Fault)
    case damaged(TraceDamage)
    case otherProcess(pid: UInt64)
    case empty

    package var description: String {
      switch self {
      case .notAPass: "It is no pass as this version of Exhibit keeps one, or is damaged."
      case .changed: "It has changed since it was looked through."
      case .unreadable(let fault): "What it has of a test's steps cannot be read. \(fault)"
      case .damaged(let damage): "What it has of a test's steps is damaged. \(damage.sentence)"
      case .otherProcess(let pid): "It has steps of another process: \(pid)."
      case .empty: "It has a test without steps."
      }
    }
  }

  /// The entries before the first place where none can be read.
  ///
  /// - Returns: And a sentence on that place, `nil` where the file ends with an entry.
  package static func entries(in bytes: UnsafeRawBufferPointer) -> (entries: [Entry], damage: String?) {
    var entries: [Entry] = []
    var place = 0
    while place < bytes.count {
      guard let entry = entry(at: place, in: bytes) else {
        let rest = bytes.count - place
        return (
          entries,
          "From byte \(place) on, \(rest) bytes of it are no whole pass, so that later ones are missing."
        )
      }
      entries.append(entry)
      place += entry.size
    }
    return (entries, nil)
  }

  private static func entry(at place: Int, in bytes: UnsafeRawBufferPointer) -> Entry? {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes[place...])
    guard bytes.count >= headerSize, bytes.starts(with: magic) else { return nil }
    let sum = bytes.number(at: 16, UInt64.self)
    guard let size = Int(exactly: bytes.number(at: 24, UInt64.self)), size <= min(bytes.count, largest),
      size % 8 == 0
    else { return nil }
    let lineSize = Int(bytes.number(at: 32, UInt32.self))
    guard bytes.number(at: 36, UInt32.self) == UInt32(ringHeader), lineSize <= largestLine,
      headerSize + lineSize + ringHeader < size, self.sum(of: bytes, size: size) == sum
    else { return nil }
    let line = UnsafeRawBufferPointer(rebasing: bytes[headerSize..<headerSize + lineSize])
    guard let head = PassHead(line.assumingMemoryBound(to: UInt8.self)) else { return nil }
    return Entry(place: place, size: size, head: head, lineSize: lineSize)
  }

  /// The sum of what stands behind it in an entry.
  private static func sum(of entry: UnsafeRawBufferPointer, size: Int) -> UInt64 {
    guard let start = entry.baseAddress else { return 0 }
    return exhibit_sum((start + 24).assumingMemoryBound(to: UInt8.self), size - 24)
  }

  /// Makes an entry of a line and a part of a ring.
  ///
  /// - Parameter bytes: The part of the ring, with room for the header and the line before it.
  package static func seal(
    _ bytes: UnsafeMutableRawBufferPointer, line: UnsafeBufferPointer<UInt8>
  ) {
    bytes.copyBytes(from: magic)
    bytes.put(UInt64(bytes.count), at: 24)
    bytes.put(UInt32(line.count), at: 32)
    bytes.put(UInt32(ringHeader), at: 36)
    UnsafeMutableRawBufferPointer(rebasing: bytes[headerSize...]).copyBytes(
      from: UnsafeRawBufferPointer(line))
    bytes.put(sum(of: UnsafeRawBufferPointer(bytes), size: bytes.count), at: 16)
  }
}

extension PassesFile.Entry {
  /// The lines of its `story.jsonl`.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of this entry.
  ///   - process: The process whose file it is; `nil` for one that nobody knows any more.
  /// - Throws: `Fault`.
  package func lines(
    in bytes: UnsafeRawBufferPointer, of process: ProcessIdentity?
  ) throws(PassesFile.Fault) -> [UInt8] {
    let (entries, _) = PassesFile.entries(in: bytes)
    guard entries.count == 1, let entry = entries.first, entry.head == head, entry.size == bytes.count else {
      throw .changed
    }
    let image = try image(in: bytes)
    if let process {
      guard image.pid == UInt64(clamping: process.pid), image.startTicks == process.startTicks else {
        throw .otherProcess(pid: image.pid)
      }
    }
    if let damage = image.damage { throw .damaged(damage) }
    let lines = head.story.lines(from: image) { connections in
      head.databases.filter { connections.contains($0.connection) }.sorted { $0.connection < $1.connection }
    }
    guard let lines else { throw .empty }
    return lines
  }

  /// Adds the addresses on the stacks of its steps, without looking at anything else.
  ///
  /// - Parameter bytes: The bytes of this entry.
  package func add(to addresses: StackAddresses, from bytes: UnsafeRawBufferPointer) {
    let start = PassesFile.headerSize + lineSize + PassesFile.ringHeader
    if start < bytes.count { addresses.add(UnsafeRawBufferPointer(rebasing: bytes[start...])) }
  }

  /// The part of the ring, with a header of the size that a ring has.
  private func image(in bytes: UnsafeRawBufferPointer) throws(PassesFile.Fault) -> TraceImage {
    let start = PassesFile.headerSize + lineSize
    let records = start + PassesFile.ringHeader
    let size = TraceImage.headerSize + bytes.count - records
    let ring = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
    defer { ring.deallocate() }
    ring.initializeMemory(as: UInt8.self, repeating: 0)
    ring.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<records]))
    UnsafeMutableRawBufferPointer(rebasing: ring[TraceImage.headerSize...])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[records...]))
    do throws(TraceImage.Fault) {
      return try TraceImage(UnsafeRawBufferPointer(ring))
    } catch {
      throw .unreadable(error)
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func number<Number: FixedWidthInteger>(at place: Int, _ type: Number.Type) -> Number {
    Number(littleEndian: loadUnaligned(fromByteOffset: place, as: Number.self))
  }
}

extension UnsafeMutableRawBufferPointer {
  fileprivate func put<Number: FixedWidthInteger>(_ number: Number, at place: Int) {
    storeBytes(of: number.littleEndian, toByteOffset: place, as: Number.self)
  }
}
