package import ExhibitSQLite
import ReportModel

/// A name of the schema as a sentence has it: on one line, visible, and not endless.
package func shownName(_ name: String) -> String {
  let line = visibleOnOneLine(String(name.prefix(mostShown + 1)))
  return name.count > mostShown ? line.prefix(mostShown) + "…" : line
}

/// A value as a sentence has it: a text in single quotes, on one line, and not endless.
package func shownValue(_ cell: DatabaseValue) -> String {
  switch cell {
  case .null: "NULL"
  case .integer(let value): String(value)
  case .real(let value): String(value)
  case .text(let text, _): "'\(shownName(text))'"
  case .blob: "a blob of \(counted(cell.byteCount, "byte"))"
  }
}

/// Characters shown of a name or a value.
private let mostShown = 80

extension RowKey {
  /// `row 7`, or `row ('a', 2)`.
  package var shown: String {
    switch self {
    case .rowid(let rowid): "row \(rowid)"
    case .values(let values) where values.count == 1: "row \(shownValue(values[0]))"
    case .values(let values): "row (\(values.map(shownValue).joined(separator: ", ")))"
    }
  }
}
