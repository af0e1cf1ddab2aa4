import ExhibitSQLite
import ReportInspection
import ReportModel

/// Tells what each row of one table adds to a query's count or sum; SQLite judges the conditions.
struct Contributions {
  private static let mostRows = 4_000

  let table: CapturedSchema.Table
  private let reads: CapturedReads
  private let query: ReadQuery
  private let expression: String
  private let columns: [DatabaseSchema.Column]
  private let known = Known()

  /// Rows that are alike are judged once.
  private final class Known {
    var sums: [String: Sum] = [:]
  }

  /// - Returns: `nil` for a query of several tables, and where rows may be compared otherwise than their values.
  init?(of query: ReadQuery, _ table: CapturedSchema.Table?, _ reads: CapturedReads) {
    guard let table, table.kind == .ordinary, !query.isJoin, !query.hasSubquery, !query.isLimited,
      table.columns.count == table.stored.count, query.names.isDisjoint(with: DatabaseSchema.rowidNames),
      case .text(let sql, nil)? = reads.rows(
        "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = \(SQLText.text(table.name))")?.rows
        .first?.first,
      !sql.uppercased().contains("COLLATE")
    else { return nil }
    (self.table, self.reads, self.query) = (table, reads, query)
    expression = query.additive?.text ?? "count(*)"
    columns = table.stored.filter { query.names.contains($0.name.lowercased()) }
  }

  func value(of row: [DatabaseValue?], _ names: [String]) -> Sum? {
    guard !row.isEmpty else { return Sum(.integer(0)) }
    var cells: [String] = []
    for column in columns {
      guard let place = names.firstIndex(of: column.name), let value = row[safe: place] ?? nil,
        let literal = Self.literal(value, in: column)
      else { return nil }
      cells.append("\(literal) AS \(SQLText.name(column.name))")
    }
    let source = cells.isEmpty ? "1 AS one" : cells.joined(separator: ", ")
    if let sum = known.sums[source] { return sum }
    guard known.sums.count < Self.mostRows else { return nil }
    let filter = query.conditions.map(\.text).joined(separator: " AND ")
    let sql =
      "SELECT \(expression) FROM (SELECT \(source)) AS \(SQLText.name(query.alias))\(filter.isEmpty ? "" : " WHERE \(filter)")"
    guard let value = reads.rows(sql)?.rows.first?.first, let sum = Sum(value) else { return nil }
    known.sums[source] = sum
    return sum
  }

  private static func literal(_ value: DatabaseValue, in column: DatabaseSchema.Column) -> String? {
    switch (value, column.isNumeric, column.isText) {
    case (.null, true, _): "CAST(NULL AS NUMERIC)"
    case (.null, _, true): "CAST(NULL AS TEXT)"
    case (.integer(let number), true, _): "CAST(\(number) AS NUMERIC)"
    case (.real(let number), true, _) where number.isFinite:
      "CAST(\(number) AS \(column.isReal ? "REAL" : "NUMERIC"))"
    case (.text(let text, nil), _, true): "CAST(\(SQLText.text(text)) AS TEXT)"
    default: nil
    }
  }
}

/// A count or a sum.
enum Sum {
  case integer(Int64)
  case real(Double)

  init?(_ value: DatabaseValue) {
    switch value {
    case .null: self = .integer(0)
    case .integer(let number): self = .integer(number)
    case .real(let number) where number.isFinite: self = .real(number)
    case .real, .text, .blob: return nil
    }
  }

  private var double: Double {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    }
  }

  func plus(_ other: Sum) -> Sum? { with(other, { $0.addingReportingOverflow($1) }, +) }

  func minus(_ other: Sum) -> Sum? { with(other, { $0.subtractingReportingOverflow($1) }, -) }

  private func with(
    _ other: Sum, _ exact: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
    _ rounded: (Double, Double) -> Double
  ) -> Sum? {
    guard case .integer(let one) = self, case .integer(let two) = other else {
      let result = rounded(double, other.double)
      return result.isFinite ? .real(result) : nil
    }
    let (result, isOver) = exact(one, two)
    return isOver ? nil : .integer(result)
  }

  var isZero: Bool { abs(double) < 5e-7 }
  var size: Double { abs(double) }
  var isNegative: Bool { double < 0 }

  var text: String {
    switch self {
    case .integer(let number): grouped(Int(number))
    case .real(let number):
      // Sums of hundredths are hardly ever exact.
      Int(exactly: number).map(grouped) ?? ((number * 1e6).rounded() / 1e6).description
    }
  }

  var signedText: String { double > 0 ? "+\(text)" : text.replacing("-", with: "−") }
}
