/// The text as HTML text or as the value of a quoted attribute.
package func htmlEscaped(_ text: String) -> String {
  var bytes: [UInt8] = []
  bytes.append(escapingForHTML: text)
  return String(decoding: bytes, as: UTF8.self)
}

extension [UInt8] {
  /// Appends a text as HTML text or as the value of a quoted attribute: the only place that escapes for HTML.
  ///
  /// Byte by byte over UTF-8, so that a combining mark cannot hide the quote or angle bracket before it.
  package mutating func append(escapingForHTML text: String) {
    var text = visible(text)
    text.withUTF8 { bytes in
      var start = 0
      for index in bytes.indices {
        guard let entity = htmlEntity(for: bytes[index]) else { continue }
        append(contentsOf: bytes[start..<index])
        append(contentsOf: UnsafeBufferPointer(start: entity.utf8Start, count: entity.utf8CodeUnitCount))
        start = index + 1
      }
      append(contentsOf: bytes[start...])
    }
  }
}

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
