import Glibc

/// A relative path as bytes, since file names need not be UTF-8.
package struct RawPath: Hashable {
  /// Without a slash at either end; empty for the directory itself.
  package var bytes: [UInt8]

  package init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  package func appending(_ name: [UInt8]) -> RawPath {
    RawPath(bytes.isEmpty ? name : bytes + [UInt8(ascii: "/")] + name)
  }

  package func path(in directory: String) -> [CChar] {
    let whole = bytes.isEmpty ? Array(directory.utf8) : Array("\(directory)/".utf8) + bytes
    return whole.map { CChar(bitPattern: $0) } + [0]
  }

  /// True when the last name matches a pattern of `fnmatch`, whose `*` matches leading dots too.
  package func nameMatches(_ pattern: String) -> Bool {
    let name = bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
    return (name.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      guard let text = buffer.baseAddress else { return false }
      return fnmatch(pattern, text, 0) == 0
    }
  }

  package var text: String? { String(validating: bytes, as: UTF8.self) }

  /// The path as text, with bytes that are not UTF-8 as `%XX`.
  package var readable: String { Self.readable(bytes) }

  package static func readable(_ bytes: [UInt8]) -> String {
    var rest = bytes[...]
    var result = ""
    while let (scalar, count) = firstScalar(rest) {
      if let scalar {
        result.unicodeScalars.append(scalar)
      } else {
        result += "%" + hexadecimal(rest.prefix(1)).uppercased()
      }
      rest = rest.dropFirst(count)
    }
    return result
  }

  /// The first scalar and its length; no scalar and 1 for an invalid byte; `nil` at the end.
  private static func firstScalar(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar?, Int)? {
    guard !bytes.isEmpty else { return nil }
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return (nil, 1) }
    return (scalar, UTF8.width(scalar))
  }
}
