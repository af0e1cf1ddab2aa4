import ExhibitSQLite
import ExhibitSystem
import ReportModel

/// Rows as CSV, RFC 4180; docs/reporter.md has the format, and `templates/script/csv.js` writes the same.
///
/// Texts are quoted and nothing else is, so that NULL, an empty text, a number and a text of digits can be told apart.
struct CSVText {
  /// Whether a terminal shows it, which would obey what texts hold: there they have signs in the place of controls.
  let isForTerminal: Bool
  private(set) var bytes: [UInt8] = []

  init(isForTerminal: Bool = false) { self.isForTerminal = isForTerminal }

  mutating func append(row: [DatabaseValue]) {
    for (index, value) in row.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(value)
    }
    bytes += Array("\r\n".utf8)
  }

  /// The text so far, which is forgotten.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  private mutating func append(_ value: DatabaseValue) {
    switch value {
    case .null: break
    case .integer(let number): bytes += Array(String(number).utf8)
    case .real(let number): bytes += Array(printedReal(number).utf8)
    case .text(let text, _): append(quoted: isForTerminal ? visible(text) : text)
    case .blob(let blob, _): bytes += Array("X'\(hexadecimal(blob))'".utf8)
    }
  }

  private mutating func append(quoted text: String) {
    let quote = UInt8(ascii: "\"")
    bytes.append(quote)
    for byte in text.utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }
}
