import ExhibitSystem
import ReportModel
import ReportReading

/// Writes XML with escaping.
struct XMLWriter {
  private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
  private var depth = 0

  /// Removes and returns the bytes so far.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  mutating func open(_ name: String, _ attributes: [(String, String?)]) {
    startTag(name, attributes)
    bytes.append(contentsOf: ">\n".utf8)
    depth += 1
  }

  mutating func close(_ name: String) {
    depth -= 1
    indent()
    endTag(name)
  }

  private mutating func endTag(_ name: String) {
    bytes.append(contentsOf: "</".utf8)
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: ">\n".utf8)
  }

  mutating func element(_ name: String, _ attributes: [(String, String?)], _ text: String?) {
    startTag(name, attributes)
    guard let text else { return bytes.append(contentsOf: "/>\n".utf8) }
    bytes.append(UInt8(ascii: ">"))
    escape(text, isAttribute: false)
    endTag(name)
  }

  private mutating func startTag(_ name: String, _ attributes: [(String, String?)]) {
    indent()
    bytes.append(UInt8(ascii: "<"))
    bytes.append(contentsOf: name.utf8)
    for (name, value) in attributes {
      guard let value else { continue }
      bytes.append(UInt8(ascii: " "))
      bytes.append(contentsOf: name.utf8)
      bytes.append(contentsOf: "=\"".utf8)
      escape(value, isAttribute: true)
      bytes.append(UInt8(ascii: "\""))
    }
  }

  private mutating func indent() {
    for _ in 0..<(2 * depth) { bytes.append(UInt8(ascii: " ")) }
  }

  /// Drops characters illegal in XML and escapes line breaks in attributes, which would become spaces.
  private mutating func escape(_ text: String, isAttribute: Bool) {
    bytes.append(text.removingCharactersIllegalInXML, replacing: Self.escaped) { byte in
      Self.entity(for: byte, isAttribute: isAttribute)
    }
  }

  private static let escaped = ByteSet { entity(for: $0, isAttribute: true) != nil }

  private static func entity(for byte: UInt8, isAttribute: Bool) -> StaticString? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "\n") where isAttribute: "&#10;"
    case UInt8(ascii: "\r"): "&#13;"
    case UInt8(ascii: "\t") where isAttribute: "&#9;"
    default: nil
    }
  }
}
