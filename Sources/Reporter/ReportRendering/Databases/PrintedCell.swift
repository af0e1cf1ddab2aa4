import ReportInspection
import ReportModel

/// A value of a database as a cell of a terminal's table, told apart from any other value that looks alike.
///
/// Texts stand as they are; those that could be taken for another value, or for none, have quotation marks.
///
/// - Parameter undecoded: The bytes of a text that is no UTF-8.
func printedCell(
  _ cell: DatabaseInspection.Cell, undecoded: [UInt8]? = nil, style: TerminalStyle = .plain
) -> TerminalTable.Cell {
  switch cell {
  case .null: TerminalTable.Cell("NULL", .soft)
  case .integer(let value): TerminalTable.Cell(String(value), style, isNumber: true)
  case .real(let value): TerminalTable.Cell(printedReal(value), style, isNumber: true)
  case .text(let text, let whole):
    TerminalTable.Cell(
      printedText(text) + (whole.map { "… (\(sizeText($0)))" } ?? "")
        + (undecoded == nil ? "" : " (no UTF-8)"), style)
  case .blob(let bytes, let count):
    // The size comes first, as the bytes may have no room.
    TerminalTable.Cell(
      (count > 16 ? "\(sizeText(count)) " : "") + "x'\(hexadecimal(bytes))\(bytes.count < count ? "…" : "'")",
      style)
  }
}

/// Lowercase digits, two for each byte.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
  return String(decoding: text, as: UTF8.self)
}

/// As SQLite's own tool writes infinities.
private func printedReal(_ value: Double) -> String {
  value.isInfinite ? (value < 0 ? "-Inf" : "Inf") : value.description
}

private func printedText(_ text: String) -> String {
  let isAmbiguous =
    text.isEmpty || text.utf8.first == UInt8(ascii: " ") || text.utf8.last == UInt8(ascii: " ")
    || text.utf8.first == UInt8(ascii: "'") || text.uppercased() == "NULL" || Double(text) != nil
    || text.hasPrefix("x'")
  return isAmbiguous ? "'\(text)'" : text
}
