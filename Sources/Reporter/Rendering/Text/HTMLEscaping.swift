/// The text as HTML text or as the value of a quoted attribute: the only place that escapes for HTML.
///
/// Byte by byte over UTF-8, so that a combining mark cannot hide the quote or angle bracket before it.
func htmlEscaped(_ text: String) -> String {
  let text = visible(text)
  if text.hasOnly(isPlainInHTML) { return text }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.utf8.count + 32)
  for byte in text.utf8 {
    if let entity = htmlEntity(for: byte) {
      bytes.append(contentsOf: entity.utf8)
    } else {
      bytes.append(byte)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

private func isPlainInHTML(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
  default: true
  }
}

private func htmlEntity(for byte: UInt8) -> String? {
  switch byte {
  case UInt8(ascii: "&"): "&amp;"
  case UInt8(ascii: "<"): "&lt;"
  case UInt8(ascii: ">"): "&gt;"
  case UInt8(ascii: "\""): "&quot;"
  case UInt8(ascii: "'"): "&#39;"
  default: nil
  }
}
