import ExhibitSQLite
import ExhibitSystem
import ReportModel

/// A value as a table cell that is distinguishable from others.
///
/// Texts are quoted only when ambiguous.
///
/// - Parameters:
///   - undecoded: The bytes of a text in invalid UTF-8.
///   - note: What the value means, if that is known.
func printedCell(
  _ cell: DatabaseValue, undecoded: [UInt8]? = nil, note: String? = nil, style: TerminalStyle = .plain
) -> TerminalTable.Cell {
  var printed = printedCell(cell, undecoded, style)
  if let note { printed.text += " (\(printedLine(note)))" }
  return printed
}

private func printedCell(
  _ cell: DatabaseValue, _ undecoded: [UInt8]?, _ style: TerminalStyle
) -> TerminalTable.Cell {
  switch cell {
  case .null: TerminalTable.Cell("NULL", .soft)
  case .integer(let value): TerminalTable.Cell(String(value), style, isNumber: true)
  case .real(let value): TerminalTable.Cell(printedReal(value), style, isNumber: true)
  case .text(let text, let whole):
    TerminalTable.Cell(
      printedText(text) + (whole.map { "… (\(sizeText($0.bytes)))" } ?? "")
        + (undecoded == nil ? "" : " (no UTF-8)"), style)
  case .blob(let bytes, let whole):
    // The size comes first, since the bytes may be cut off.
    TerminalTable.Cell(
      (cell.byteCount > 16 ? "\(sizeText(cell.byteCount)) " : "")
        + "x'\(hexadecimal(bytes))\(whole == nil ? "'" : "…")",
      style)
  }
}

/// The shortest decimal that reads back equal, never like an integer; infinities as in the `sqlite3` shell.
func printedReal(_ value: Double) -> String {
  value.isInfinite ? (value < 0 ? "-Inf" : "Inf") : value.description
}

private func printedText(_ text: String) -> String {
  let isAmbiguous =
    text.isEmpty || text.utf8.first == UInt8(ascii: " ") || text.utf8.last == UInt8(ascii: " ")
    || text.utf8.first == UInt8(ascii: "'") || text.uppercased() == "NULL" || Double(text) != nil
    || text.hasPrefix("x'")
  return isAmbiguous ? "'\(text)'" : text
}
