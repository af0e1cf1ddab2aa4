import ExhibitSQLite
import ReportInspection
package import ReportStory

/// Which kinds of values a captured column holds, to skip changes without effect.
package struct ColumnValues: Sendable, Hashable {
  /// False when unknown; then all kinds are assumed.
  package private(set) var isKnown = false
  package var holdsNull = true
  package var holdsNumbers = true
  package var holdsTexts = true
  package var holdsEmptyTexts = true
  package var holdsBlobs = true
  /// Such as `2026-03-01` or `2026-03-01 08:00`.
  package var holdsMoments = true
  package var holdsWords = true
  /// Texts that begin with a digit or sign.
  package var holdsDigits = true
  package var holdsUUIDs = true
  /// Texts with spaces at either end.
  package var holdsPadded = true
  /// Numbers with a fraction.
  package var holdsFractions = true

  package init() {}

  fileprivate init(_ statement: InspectionStatement, at first: Int32) {
    isKnown = true
    func holds(_ place: Int32) -> Bool { statement.integer(at: first + place) != 0 }
    (holdsNull, holdsNumbers, holdsTexts) = (holds(0), holds(1), holds(2))
    (holdsEmptyTexts, holdsBlobs, holdsMoments) = (holds(3), holds(4), holds(5))
    (holdsWords, holdsDigits, holdsUUIDs) = (holds(6), holds(7), holds(8))
    (holdsPadded, holdsFractions) = (holds(9), holds(10))
  }

  fileprivate static func expressions(_ name: String) -> [String] {
    let column = SQLText.name(name)
    let isText = "typeof(\(column)) = 'text'"
    let isMoment = "\(isText) AND \(column) GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]*'"
    return [
      "\(column) IS NULL", "typeof(\(column)) IN ('integer', 'real')", isText, "\(column) IS ''",
      "typeof(\(column)) = 'blob'", isMoment, "\(isText) AND \(column) <> '' AND NOT (\(isMoment))",
      "\(isText) AND \(column) GLOB '[-+0-9]*'",
      "\(isText) AND \(column) GLOB '????????-????-????-????-????????????'",
      "\(isText) AND \(column) <> trim(\(column))",
      "typeof(\(column)) = 'real' AND \(column) <> CAST(\(column) AS INTEGER)",
    ].map { "max(\($0))" }
  }
  fileprivate static let count: Int32 = 11
}

/// Kinds of values by table and column, in lower case.
package struct CapturedValues: Sendable {
  private var columns: [String: [String: ColumnValues]] = [:]

  private static let mostRows = 20_000
  /// Virtual machine steps per database.
  private static let mostSteps = 100_000_000
  private static let mostColumns = 100

  /// - Parameter files: Captured databases by absolute path; tables that several have are ignored.
  package init(_ files: [(path: String, schema: CapturedSchema)] = []) {
    let files = files.filter { !$0.schema.isUncommitted }
    let names = files.flatMap { $0.schema.tables.values.map { $0.name.lowercased() } }
    let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    for file in files {
      // Unreadable files are reported elsewhere.
      guard let connection = try? InspectionConnection(path: file.path, limits: InspectionLimits()) else {
        continue
      }
      connection.allow(steps: Self.mostSteps)
      // Sorted, so that limits always skip the same.
      for table in file.schema.tables.values.sorted(by: { $0.name < $1.name }) {
        let key = table.name.lowercased()
        guard counts[key] == 1 else { continue }
        columns[key] = Self.values(of: table.name, table.columns.map(\.name), connection)
      }
    }
  }

  func values(of column: String, in table: String) -> ColumnValues {
    columns[table.lowercased()]?[column.lowercased()] ?? ColumnValues()
  }

  private static func values(
    of table: String, _ names: [String], _ connection: InspectionConnection
  ) -> [String: ColumnValues]? {
    let names = names.prefix(mostColumns)
    let expressions = names.flatMap(ColumnValues.expressions).joined(separator: ", ")
    let rows = "(SELECT * FROM \(SQLText.name(table)) LIMIT \(mostRows))"
    // The module may be missing, or the limit reached.
    guard !names.isEmpty,
      let statement = try? connection.prepare("SELECT count(*), \(expressions) FROM \(rows)"),
      (try? statement.step()) == true, statement.integer(at: 0) > 0
    else { return nil }
    var values: [String: ColumnValues] = [:]
    for (index, name) in names.enumerated() {
      values[name.lowercased()] = ColumnValues(statement, at: 1 + Int32(index) * ColumnValues.count)
    }
    return values
  }
}
