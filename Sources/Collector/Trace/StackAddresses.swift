import ExhibitCSystem

/// The distinct addresses on a process's stacks, maybe a million, collected in C for debug builds.
package final class StackAddresses {
  private var gathered = exhibit_addresses()
  private var files: Set<TraceCode> = []
  private var names: Set<UInt64> = []

  private static let codeKind: UInt16 = 5

  package init() {}

  deinit { exhibit_addresses_free(&gathered) }

  func add(_ records: UnsafeRawBufferPointer) {
    let memory = records.assumingMemoryBound(to: UInt8.self)
    guard let first = memory.baseAddress else { return }
    _ = exhibit_addresses_add(&gathered, first, memory.count)
    var place = exhibit_next_record(first, memory.count, 0, Self.codeKind)
    while place < memory.count {
      let size = Int(UInt32(littleEndian: records.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
      addFile(in: records, at: place, size)
      place = exhibit_next_record(first, memory.count, place + size, Self.codeKind)
    }
  }

  private func addFile(in records: UnsafeRawBufferPointer, at place: Int, _ size: Int) {
    let payload = place + TraceImage.recordHeader
    guard size >= TraceImage.recordHeader + 16 else { return }
    let name = UInt64(littleEndian: records.loadUnaligned(fromByteOffset: payload, as: UInt64.self))
    if names.contains(name) { return }
    var reader = TraceBytes(records, in: place..<place + size - TraceSum.size)
    guard var header = reader.header(), case .code(let file)? = reader.content(of: &header) else { return }
    names.insert(name)
    files.insert(file)
  }

  /// Leaves out addresses in no file or in two.
  package var offsets: [(file: RecordedStory.Code, offsets: [UInt64])] {
    var found: [TraceCode: [UInt64]] = [:]
    for address in UnsafeBufferPointer(start: gathered.list, count: gathered.count) {
      guard let file = files.file(having: address) else { continue }
      found[file, default: []].append(address - file.bias)
    }
    return found.sorted { ($0.key.path, $0.key.name) < ($1.key.path, $1.key.name) }
      .map { (RecordedStory.Code($0.key), $0.value) }
  }
}
