import ExhibitSQLite
import ReportInspection
package import ReportStory

/// What the values of a column have in common in the captured database, so that changes which do nothing to such values
/// are left out.
package struct ColumnValues: Sendable, Hashable {
  /// False where nothing is known, so that all of the following is true.
  package private(set) var isKnown = false
  package var holdsNull = true
  package var holdsNumbers = true
  package var holdsTexts = true
  package var holdsEmptyTexts = true
  package var holdsBlobs = true
  /// Texts such as `2026-03-01` and `2026-03-01 08:00`.
  package var holdsMoments = true
  /// Texts other than moments.
  package var holdsWords = true
  /// Texts that begin with a digit or a sign.
  package var holdsDigits = true
  package var holdsUUIDs = true
  /// Texts with spaces at their ends.
  package var holdsPadded = true
  /// Numbers with a fraction.
  package var holdsFractions = true

  /// What may be in a column of which nothing is known.
  package init() {}

  fileprivate init(_ statement: InspectionStatement, at first: Int32) {
    isKnown = true
    func holds(_ place: Int32) -> Bool { statement.integer(at: first + place) != 0 }
    (holdsNull, holdsNumbers, holdsTexts) = (holds(0), holds(1), holds(2))
    (holdsEmptyTexts, holdsBlobs, holdsMoments) = (holds(3), holds(4), holds(5))
    (holdsWords, holdsDigits, holdsUUIDs) = (holds(6), holds(7), holds(8))
    (holdsPadded, holdsFractions) = (holds(9), holds(10))
  }

  /// Expressions for the properties above, in their order.
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

/// The values of the captured databases' columns, by the names of table and column in lower case.
package struct CapturedValues: Sendable {
  private var columns: [String: [String: ColumnValues]] = [:]

  /// Rows of a table that are looked at.
  private static let mostRows = 20_000
  /// Steps of SQLite's virtual machine for all tables of a database.
  private static let mostSteps = 100_000_000
  private static let mostColumns = 100

  /// - Parameter files: Captured databases, each with its absolute path; a table that several have is not known.
  package init(_ files: [(path: String, schema: CapturedSchema)] = []) {
    let files = files.filter { !$0.schema.isUncommitted }
    let names = files.flatMap { $0.schema.tables.values.map { $0.name.lowercased() } }
    let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    for file in files {
      // Its inspection tells why a file cannot be opened, and of a column that is not known everything is tried.
      guard let connection = try? InspectionConnection(path: file.path, limits: InspectionLimits()) else {
        continue
      }
      connection.allow(steps: Self.mostSteps)
      // In their order, so that the limit leaves out the same ones each time.
      for table in file.schema.tables.values.sorted(by: { $0.name < $1.name }) {
        let key = table.name.lowercased()
        guard counts[key] == 1 else { continue }
        columns[key] = Self.values(of: table.name, table.columns.map(\.name), connection)
      }
    }
  }

  /// - Returns: What may be in any column where nothing is known.
  func values(of column: String, in table: String) -> ColumnValues {
    columns[table.lowercased()]?[column.lowercased()] ?? ColumnValues()
  }

  /// - Returns: `nil` for a table without rows, and for one that cannot be read.
  private static func values(
    of table: String, _ names: [String], _ connection: InspectionConnection
  ) -> [String: ColumnValues]? {
    let names = names.prefix(mostColumns)
    let expressions = names.flatMap(ColumnValues.expressions).joined(separator: ", ")
    let rows = "(SELECT * FROM \(SQLText.name(table)) LIMIT \(mostRows))"
    // A virtual table's module may not be there, and the limit of steps may be reached.
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
