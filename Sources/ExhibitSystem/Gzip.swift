import ExhibitCSystem

/// Packs bytes as a gzip file (RFC 1952) with the system's zlib; `nil` without zlib or above 4 GiB.
package func gzip(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
  let packed = [UInt8](unsafeUninitializedCapacity: exhibit_gzip_room(bytes.count)) { room, count in
    guard let from = bytes.baseAddress, let to = room.baseAddress else { return }
    count = exhibit_gzip(from, bytes.count, to)
  }
  return packed.isEmpty ? nil : packed
}

package let gzipMagic: [UInt8] = [0x1F, 0x8B]

/// Unpacks a gzip file into a new one; throws `EFBIG` when it has more than `most` bytes.
package func gunzip(_ file: InputFile, to path: String, most: Int) throws {
  let output = try OutputFile(creating: path)
  let code = exhibit_gunzip(file.descriptor, output.descriptor, Int64(most))
  if code != 0 { throw SystemError("unpack", file.path, code: code) }
}

/// Unpacks deflated bytes without a header (RFC 1951) with the system's zlib.
///
/// - Returns: `nil` without zlib, for damaged bytes, and for more than `most` bytes.
package func inflated(_ bytes: [UInt8], most: Int) -> [UInt8]? {
  let unpacked = [UInt8](unsafeUninitializedCapacity: most) { room, count in
    bytes.withUnsafeBufferPointer { packed in
      guard let from = packed.baseAddress, let to = room.baseAddress else { return }
      count = exhibit_inflate(from, packed.count, to, most)
    }
  }
  return unpacked.isEmpty ? nil : unpacked
}
