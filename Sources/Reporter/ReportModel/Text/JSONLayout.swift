import Foundation

/// Puts each member and element of one line of JSON on its own line; `nil` for other texts.
package func laidOutJSON(_ text: String) -> String? {
  let bytes = Array(text.utf8)
  let first = bytes.first { !$0.isSpace }
  guard first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
    !text.trimmed.utf8.contains(UInt8(ascii: "\n")),
    (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil  // Anything else is shown as it is.
  else { return nil }
  var layout = JSONLayout()
  for byte in bytes { layout.add(byte) }
  return String(decoding: layout.bytes, as: UTF8.self)
}

private struct JSONLayout {
  private(set) var bytes: [UInt8] = []
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var isOpened = false

  mutating func add(_ byte: UInt8) {
    if isInString { return addToString(byte) }
    if byte.isSpace { return }
    let closes = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    if closes { depth -= 1 }
    if isOpened != closes { breakLine() }
    isOpened = false
    bytes.append(byte)
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      depth += 1
      isOpened = true
    case UInt8(ascii: ","): breakLine()
    case UInt8(ascii: ":"): bytes.append(UInt8(ascii: " "))
    default: break
    }
  }

  private mutating func addToString(_ byte: UInt8) {
    bytes.append(byte)
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    }
  }

  private mutating func breakLine() {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * min(max(depth, 0), 40)))
  }
}
