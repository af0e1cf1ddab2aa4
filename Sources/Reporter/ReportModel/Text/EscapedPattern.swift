/// A text as a regular expression that matches it alone.
package func escapedPattern(_ text: String) -> String {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.utf8.count + 8)
  for byte in text.utf8 {
    if signs.contains(byte) { bytes.append(UInt8(ascii: "\\")) }
    bytes.append(byte)
  }
  return String(decoding: bytes, as: UTF8.self)
}

private let signs = Array(#"\^$.|?*+()[]{}"#.utf8)
