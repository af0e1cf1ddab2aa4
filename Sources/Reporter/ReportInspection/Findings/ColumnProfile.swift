import ExhibitCSQLite

/// A column's values, counted by kind.
struct ColumnProfile {
  enum Kind: Int, CaseIterable {
    case null, empty, number, fraction, numeral, code, text, blob
  }

  private var found = [FoundRows](repeating: FoundRows(), count: Kind.allCases.count)
  private(set) var dates: [(form: DateForm, rows: FoundRows)] = []
  /// Also contained in `dates`.
  private(set) var impossibleDates = FoundRows()
  private(set) var times = 0
  /// Times that can only be durations.
  private(set) var durations = 0
  /// Times with invalid minutes or seconds.
  private(set) var impossibleTimes = FoundRows()

  /// A column with more forms has no dates.
  private static let mostForms = 24

  subscript(kind: Kind) -> FoundRows { found[kind.rawValue] }

  func count(_ kinds: Kind...) -> Int { kinds.reduce(0) { $0 + found[$1.rawValue].count } }

  var numbers: Int { count(.number, .fraction) }
  var texts: Int { count(.text, .numeral, .code) }

  /// Counts a value.
  ///
  /// - Parameters:
  ///   - writing: The test's write of it, if any.
  ///   - row: Makes the row to keep.
  mutating func note(
    _ statement: InspectionStatement, at column: Int32, _ writing: WrittenRows.Writing?,
    _ row: () -> Finding.Row
  ) {
    let kind: Kind
    switch statement.type(at: column) {
    case SQLITE_NULL: kind = .null
    case SQLITE_INTEGER: kind = .number
    case SQLITE_FLOAT:
      let value = statement.real(at: column)
      kind = value == value.rounded() ? .number : .fraction
    case SQLITE_BLOB: kind = .blob
    default:
      guard let utf8 = statement.utf8(at: column) else { return }
      switch TextForm(utf8) {
      case .empty: kind = .empty
      case .number, .writtenNumber: kind = .numeral
      case .code: kind = .code
      case .date(let form, let exists):
        kind = .text
        note(form, writing, row)
        if !exists { impossibleDates.note(writing, row) }
      case .time(let time):
        kind = .text
        times += 1
        if !time.isTimeOfAnHour {
          impossibleTimes.note(writing, row)
        } else if !time.isTimeOfDay {
          durations += 1
        }
      case .other: kind = .text
      }
    }
    found[kind.rawValue].note(writing, row)
  }

  private mutating func note(
    _ form: DateForm, _ writing: WrittenRows.Writing?, _ row: () -> Finding.Row
  ) {
    if let place = dates.firstIndex(where: { $0.form == form }) {
      dates[place].rows.note(writing, row)
    } else if dates.count < Self.mostForms {
      dates.append((form, FoundRows()))
      dates[dates.count - 1].rows.note(writing, row)
    }
  }
}
