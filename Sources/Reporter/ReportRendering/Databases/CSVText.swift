import ExhibitSQLite
import ExhibitSystem
import ReportInspection
import ReportModel

/// CSV as in RFC 4180; docs/reporter.md describes it, and `templates/script/csv.js` writes the same.
///
/// Only texts are quoted, which distinguishes them from NULL and numbers.
struct CSVText {
  /// True to replace control characters for a terminal.
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

/// Writes a table of a database file as CSV; see `CSVText`.
///
/// The header comes first, then rows in table order, with the rowid first unless it is a column.
///
/// - Parameters:
///   - table: In the schema's spelling.
///   - path: An untrusted file, read without side files.
///   - rows: The most rows; `nil` for all.
/// - Returns: A sentence on differences from the table, if any.
/// - Throws: The errors of `take`.
package func writeCSV(
  of table: String, at path: String, rows: Int?, isForTerminal: Bool, _ take: ([UInt8]) throws -> Void
) throws -> String? {
  let limits = InspectionLimits()
  var text = CSVText(isForTerminal: isForTerminal)
  do {
    let connection = try InspectionConnection(path: path, limits: limits)
    let shape = try DatabaseSchema(of: connection, leading: [table], limits: limits).read(table)
    connection.allow(steps: limits.tableSteps)
    let statement = try connection.prepare(shape.query + (rows.map { " LIMIT \($0)" } ?? ""))
    let names = statement.columnNames
    text.append(row: names.map { .text($0) })
    var undecoded = 0
    do {
      while try statement.step() {
        text.append(row: names.indices.map { statement.whole(at: Int32($0), &undecoded) })
        if text.bytes.count > pieceBytes { try take(text.take()) }
      }
    } catch let error as SQLiteError {
      try take(text.take())
      return connection.exceeded.map { "Not all rows of \(table) could be read \($0.words)." }
        ?? "Not all rows of \(table) could be read: \(error.message)."
    }
    try take(text.take())
    return undecoded == 0
      ? nil : "\(counted(undecoded, "text")) of \(table) cannot be read as UTF-8, and U+FFFD stands there."
  } catch let error as SQLiteError {
    return "\(table) cannot be read: \(error.message)."
  }
}

private let pieceBytes = 64 * 1024

extension InspectionStatement {
  /// A whole value.
  ///
  /// - Parameter undecoded: Counts texts in invalid UTF-8.
  fileprivate func whole(at column: Int32, _ undecoded: inout Int) -> DatabaseValue {
    let value = cell(at: column, limit: .max, blobLimit: .max)
    if case .text(let text, _) = value, let utf8 = utf8(at: column), hasReplacements(text, of: utf8) {
      undecoded += 1
    }
    return value
  }
}
