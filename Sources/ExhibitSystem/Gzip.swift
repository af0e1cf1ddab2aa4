import ExhibitCSystem

/// Packs bytes as a gzip file (RFC 1952) with the system's zlib; `nil` without zlib or above 4 GiB.
package func gzip(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
  let packed = [UInt8](unsafeUninitializedCapacity: exhibit_gzip_room(bytes.count)) { room, count in
    guard let from = bytes.baseAddress, let to = room.baseAddress else { return }
    count = exhibit_gzip(from, bytes.count, to)
  }
  return packed.isEmpty ? nil : packed
}
