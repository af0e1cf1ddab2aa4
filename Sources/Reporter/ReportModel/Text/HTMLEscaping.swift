package import ExhibitSystem

package func htmlEscaped(_ text: String) -> String {
  var bytes: [UInt8] = []
  bytes.append(escapingForHTML: text)
  return String(decoding: bytes, as: UTF8.self)
}

extension [UInt8] {
  /// Appends a text escaped for HTML, even in a quoted attribute.
  ///
  /// By bytes, since a combining mark could hide a quote.
  package mutating func append(escapingForHTML text: String) {
    append(visible(text), replacing: bytesOfHTML, by: htmlEntity)
  }

  package mutating func append(
    _ text: String, replacing set: ByteSet, by entity: (UInt8) -> StaticString?
  ) {
    var text = text
    text.withUTF8 { bytes in
      var (start, next) = (0, bytes.first(in: set))
      while let place = next {
        next = bytes.first(in: set, from: place + 1)
        guard let entity = entity(bytes[place]) else { continue }
        append(contentsOf: bytes[start..<place])
        append(contentsOf: UnsafeBufferPointer(start: entity.utf8Start, count: entity.utf8CodeUnitCount))
        start = place + 1
      }
      append(contentsOf: bytes[start...])
    }
  }
}

private let bytesOfHTML = ByteSet { htmlEntity(for: $0) != nil }

private func htmlEntity(for byte: UInt8) -> StaticString? {
  switch byte {
  case UInt8(ascii: "&"): "&amp;"
  case UInt8(ascii: "<"): "&lt;"
  case UInt8(ascii: ">"): "&gt;"
  case UInt8(ascii: "\""): "&quot;"
  case UInt8(ascii: "'"): "&#39;"
  default: nil
  }
}
