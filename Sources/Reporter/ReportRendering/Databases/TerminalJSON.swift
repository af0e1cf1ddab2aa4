import Collector
import ReportModel

extension JSONText {
  /// An object on a line of its own, as a command prints it.
  static func printed(_ members: (inout JSONText) -> Void) -> [UInt8] {
    var json = JSONText(.document)
    json.object(nil, members)
    json.endLine()
    return json.takeForTerminal()
  }

  /// The text so far for a terminal, which would obey DEL and the controls U+0080 to U+009F: they stand as their code
  /// points.
  private mutating func takeForTerminal() -> [UInt8] {
    let (bytes, controls) = (take(), 0x7F...0x9F as ClosedRange<UInt32>)
    // Those behind DEL begin with this byte.
    guard bytes.contains(where: { $0 == 0x7F || $0 == 0xC2 }) else { return bytes }
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if controls.contains(scalar.value) {
        text.append(contentsOf: "\\u00\(String(scalar.value, radix: 16))".unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return Array(String(text).utf8)
  }
}
