import ExhibitCSystem
package import ExhibitSystem

/// A process's file of passed tests, maybe hostile: docs/artifacts-format.md, "passes/".
package enum PassesFile {
  static let magic = Array("Exhibit pass 1\n\0".utf8)
  package static let headerSize = 40
  /// Bytes of the ring's header in an entry; the others are zero.
  static let ringHeader = 96
  private static let largest = 1 << 30
  private static let largestLine = 1 << 24

  package static func fileName(_ process: ProcessIdentity) -> String {
    "\(process.pid)-\(process.startTicks).passes"
  }

  package static func process(ofFile name: String) -> ProcessIdentity? {
    ProcessIdentity(fileName: name, ending: ".passes")
  }

  package struct Entry: Sendable, Equatable {
    package var test: TestCaseID { head.test }
    package var began: Double? { head.began }
    package var place: Int
    package var size: Int
    fileprivate var head: PassHead
    fileprivate var lineSize: Int
  }

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

  /// Up to the first unreadable place, with a sentence on that.
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

  private static func sum(of entry: UnsafeRawBufferPointer, size: Int) -> UInt64 {
    guard let start = entry.baseAddress else { return 0 }
    return exhibit_sum((start + 24).assumingMemoryBound(to: UInt8.self), size - 24)
  }

  /// - Parameter bytes: A part of the ring, behind room for header and line.
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
  /// - Parameter process: The file's process, if known.
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

  package func add(to addresses: StackAddresses, from bytes: UnsafeRawBufferPointer) {
    let start = PassesFile.headerSize + lineSize + PassesFile.ringHeader
    if start < bytes.count { addresses.add(UnsafeRawBufferPointer(rebasing: bytes[start...])) }
  }

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
