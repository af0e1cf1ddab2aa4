import ExhibitCSystem

/// The addresses on the stacks of one process, each once, and the files that have them.
///
/// A run can have a million of them, most of them the same: they are gathered in C, so that a build for debugging is fast too.
package final class StackAddresses {
  private var gathered = exhibit_addresses()
  private var files: Set<TraceCode> = []
  /// The names of files that are known.
  private var names: Set<UInt64> = []

  /// The kind of a record with a file.
  private static let codeKind: UInt16 = 5

  package init() {}

  deinit { exhibit_addresses_free(&gathered) }

  /// Adds what a part of a ring names; what is no record is passed over, and without memory some are missing.
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
    // Each test names the same few.
    let name = UInt64(littleEndian: records.loadUnaligned(fromByteOffset: payload, as: UInt64.self))
    if names.contains(name) { return }
    var reader = TraceBytes(records, in: place..<place + size - TraceSum.size)
    guard var header = reader.header(), case .code(let file)? = reader.content(of: &header) else { return }
    names.insert(name)
    files.insert(file)
  }

  /// The files, and for each the offsets of the addresses in it; what is in no file, or in two, is left out.
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
