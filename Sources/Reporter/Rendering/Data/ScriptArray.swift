/// An array of JSON in the making, which every script reads as an array.
struct ScriptArray {
  private var bytes: [UInt8] = [UInt8(ascii: "[")]
  /// Whether nothing stands in it yet.
  private var isEmpty = true
  /// Values left out so far, which stand only if another one follows.
  private var pending = 0

  /// The array with its end.
  var closed: [UInt8] { bytes + [UInt8(ascii: "]")] }

  mutating func append(_ number: Int) {
    separate()
    bytes.append(contentsOf: String(number).utf8)
  }

  mutating func append(_ text: String) {
    separate()
    writeString(text)
  }

  /// Appends an array, which is filled where it stands.
  mutating func appendArray(_ fill: (inout ScriptArray) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "["))
    isEmpty = true
    fill(&self)
    pending = 0
    bytes.append(UInt8(ascii: "]"))
    isEmpty = false
  }

  /// Appends a text, or 0 in its place.
  mutating func appendIfSaid(_ text: String?) {
    if let text { append(text) } else { pending += 1 }
  }

  mutating func appendIfSaid(_ number: Int) {
    if number != 0 { append(number) } else { pending += 1 }
  }

  /// Appends texts as one array, or 0 in its place.
  mutating func appendIfSaid(_ texts: [String]) {
    guard !texts.isEmpty else {
      pending += 1
      return
    }
    appendArray { for text in texts { $0.append(text) } }
  }

  private mutating func separate() {
    for _ in 0..<pending {
      separateOne()
      bytes.append(UInt8(ascii: "0"))
    }
    pending = 0
    separateOne()
  }

  private mutating func separateOne() {
    if !isEmpty { bytes.append(UInt8(ascii: ",")) }
    isEmpty = false
  }

  /// Escapes what RFC 8259 wants escaped, and `<`, which could end a script that somebody puts into a page.
  private mutating func writeString(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    if text.hasOnly({
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "<")
    }) {
      bytes.append(contentsOf: text.utf8)
    } else {
      escape(text)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20, UInt8(ascii: "<"):
        bytes.append(contentsOf: "\\u00\(padded(String(byte, radix: 16), to: 2, with: "0"))".utf8)
      default: bytes.append(byte)
      }
    }
  }
}
