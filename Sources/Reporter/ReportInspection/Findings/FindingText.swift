package import ExhibitSQLite
import ReportModel

/// A schema name for sentences: shortened, on one line.
package func shownName(_ name: String) -> String {
  let line = visibleOnOneLine(String(name.prefix(mostShown + 1)))
  return name.count > mostShown ? line.prefix(mostShown) + "…" : line
}

/// A value for sentences: texts quoted, shortened, on one line.
package func shownValue(_ cell: DatabaseValue) -> String {
  switch cell {
  case .null: "NULL"
  case .integer(let value): String(value)
  case .real(let value): String(value)
  case .text(let text, _): "'\(shownName(text))'"
  case .blob: "a blob of \(counted(cell.byteCount, "byte"))"
  }
}

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
