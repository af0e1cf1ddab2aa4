import ExhibitCSQLite
import ExhibitSQLite
import ReportModel

/// Finds written numbers far from all others of their column.
///
/// Far means more than `deviations` scaled median absolute deviations from the median, and outside of the others' range
/// by more than that range. Source: https://www.itl.nist.gov/div898/handbook/eda/section3/eda35h.htm
struct Outliers {
  private static let deviations = 10.0
  /// Scales a median absolute deviation to a standard deviation of normal values.
  private static let scale = 1.4826

  private let table: ExaminedTable
  private let columns: [Int]
  private var usual: [UsualValues]
  private var new: [[(value: Double, row: Finding.Row)]]

  init?(_ scan: TableScan) {
    table = scan.table
    columns = scan.table.columns.indices.filter { Self.isMeasure($0, of: scan) }
    guard !columns.isEmpty else { return nil }
    usual = Array(repeating: UsualValues(), count: columns.count)
    new = Array(repeating: [], count: columns.count)
  }

  /// True for a column of quantities, not of keys, references or unique values.
  private static func isMeasure(_ column: Int, of scan: TableScan) -> Bool {
    let declared = scan.table.columns[column]
    let isUnique = scan.table.indexes.contains { $0.isUnique && $0.columns == [column] }
    return scan.profiles[column].numbers >= Newcomers.fewestOthers && !declared.isKey && !declared.refers
      && !isUnique && scan.profiles[column].texts == 0
  }

  mutating func note(_ statement: InspectionStatement, _ examination: Examination, _ newcomers: Newcomers) {
    let key = table.key(of: statement)
    let writing = newcomers[key]
    for (place, column) in columns.enumerated() {
      let position = table.firstColumn + Int32(column)
      let type = statement.type(at: position)
      guard type == SQLITE_INTEGER || type == SQLITE_FLOAT else { continue }
      let value = statement.real(at: position)
      let name = table.columns[column].name
      guard let writing, writing.concerns(name) else {
        usual[place].add(value)
        continue
      }
      guard new[place].count < 10_000 else { continue }
      let cell = statement.cell(at: position, limit: examination.limits.cellBytes)
      new[place].append(
        (value, Finding.Row(key: key, values: [.init(column: name, cell: cell)], writing: writing)))
    }
  }

  func findings(_ examination: Examination) -> [Finding] {
    columns.indices.compactMap { place in
      guard let range = usual[place].range else { return nil }
      let name = table.columns[columns[place]].name
      var far = FoundRows()
      for (value, row) in new[place] where range.isFar(value) { far.note(row.writing) { row } }
      guard far.count > 0 else { return nil }
      return examination.finding(
        .outlier, in: table.name, [name], far,
        remedy: "Look at the step that wrote it: a wrong unit, sign or factor, or a value of another column."
      ) { words in
        "\(shownColumn(table.name, name)) is far from all others in \(words)"
          + (examination.tellsRows
            ? "; the other \(grouped(usual[place].count)) are between \(Self.shown(range.least)) and \(Self.shown(range.greatest))."
            : ".")
      }
    }
  }

  private static func shown(_ value: Double) -> String {
    Int64(exactly: value).map(String.init) ?? String(value)
  }

  fileprivate struct Range {
    var (least, greatest) = (0.0, 0.0)
    var median = 0.0
    var deviation = 0.0

    func isFar(_ value: Double) -> Bool {
      guard value.isFinite else { return true }
      // Timestamps of one unit are never outliers.
      if let unit = TimeUnit(median), unit == TimeUnit(value) { return false }
      let width = greatest - least
      return (value > greatest + width || value < least - width)
        && abs(value - median) > Outliers.deviations * Outliers.scale * deviation
    }
  }

  /// The unit of a Unix timestamp between 1990 and 2100.
  private enum TimeUnit {
    case days, seconds, milliseconds, microseconds, nanoseconds

    init?(_ value: Double) {
      switch value {
      case 6.3e8..<4.2e9: self = .seconds
      case 6.3e11..<4.2e12: self = .milliseconds
      case 6.3e14..<4.2e15: self = .microseconds
      case 6.3e17..<4.2e18: self = .nanoseconds
      case 2_440_000..<2_490_000: self = .days
      default: return nil
      }
    }
  }
}

/// A column's range and an evenly spread sample.
private struct UsualValues {
  private static let mostSamples = 4096
  private(set) var count = 0
  private var samples: [Double] = []
  private var stride = 1
  private var least = Double.infinity
  private var greatest = -Double.infinity

  mutating func add(_ value: Double) {
    guard value.isFinite else { return }
    (least, greatest) = (min(least, value), max(greatest, value))
    if count % stride == 0 {
      if samples.count == Self.mostSamples {
        samples = samples.indices.filter { $0 % 2 == 0 }.map { samples[$0] }
        stride *= 2
      }
      if count % stride == 0 { samples.append(value) }
    }
    count += 1
  }

  /// `nil` with too few or mostly equal values.
  var range: Outliers.Range? {
    guard count >= Newcomers.fewestOthers else { return nil }
    let median = Self.median(samples)
    let deviation = Self.median(samples.map { abs($0 - median) })
    guard deviation > 0 else { return nil }
    return .init(least: least, greatest: greatest, median: median, deviation: deviation)
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }
}
