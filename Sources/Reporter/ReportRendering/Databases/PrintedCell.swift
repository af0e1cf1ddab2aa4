import ExhibitSQLite
import ExhibitSystem
import ReportModel

/// A value of a database as a cell of a terminal's table, told apart from any other value that looks alike.
///
/// Texts stand as they are; those that could be taken for another value, or for none, have quotation marks.
///
/// - Parameter undecoded: The bytes of a text that is no UTF-8.
func printedCell(
  _ cell: DatabaseValue, undecoded: [UInt8]? = nil, style: TerminalStyle = .plain
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
    // The size comes first, as the bytes may have no room.
    TerminalTable.Cell(
      (cell.byteCount > 16 ? "\(sizeText(cell.byteCount)) " : "")
        + "x'\(hexadecimal(bytes))\(whole == nil ? "'" : "…")",
      style)
  }
}

/// With the fewest digits that are this number and no other, never like an integer; infinities are as SQLite's own tool
/// writes them.
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
