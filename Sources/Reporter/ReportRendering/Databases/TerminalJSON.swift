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
    let (delete, latin): (UInt8, UInt8) = (0x7F, 0xC2)
    let bytes = take()
    guard bytes.contains(delete) || bytes.contains(latin) else { return bytes }
    var (escaped, index): ([UInt8], Int) = ([], 0)
    escaped.reserveCapacity(bytes.count)
    while index < bytes.count {
      let isLatin = bytes[index] == latin && index + 1 < bytes.count && bytes[index + 1] < 0xA0
      if isLatin { index += 1 }
      if isLatin || bytes[index] == delete {
        escaped += Array("\\u00\(padded(String(bytes[index], radix: 16), to: 2, with: "0"))".utf8)
      } else {
        escaped.append(bytes[index])
      }
      index += 1
    }
    return escaped
  }
}
