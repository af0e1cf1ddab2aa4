package import ExhibitSQLite

/// Something in a database that looks like a mistake: a sentence, the rows that show it, and what to do.
package struct Finding: Sendable, Equatable {
  /// The kinds of findings; report.json has these words, so they stay.
  package enum Kind: String, Sendable, CaseIterable {
    /// `quick_check` says so, or SQLite cannot read the file.
    case damage
    /// A row refers to a row that is not there.
    case brokenForeignKey
    /// The WAL beside the database is another database's.
    case foreignWAL
    /// A journal lay beside the database that has to be rolled back first.
    case hotJournal
    /// Text among numbers that reads as a number.
    case numberAsText
    /// A date that no calendar has, or a time that no clock shows.
    case impossibleDate
    /// Values of several types in one column.
    case mixedTypes
    /// NULL and the empty text in one column.
    case nullBesideEmpty
    /// Dates in several forms, or with several offsets, in one column.
    case mixedDates
    /// Keys that differ in case, white space or the way their characters are encoded.
    case equalKeys
    /// Rows that differ in nothing but their key.
    case equalRows
    /// A value that the test wrote, far from all others of its column.
    case outlier
    /// A second row of one value that the test wrote, where an index had none before.
    case newDuplicate
    /// Triggers of one event that write the same.
    case conflictingTriggers
  }

  /// The strength of a finding by itself, where nobody knows whether the test brought it.
  enum Weight: Int, Sendable {
    case strong, minor
  }

  package enum Origin: String, Sendable, CaseIterable {
    /// The last step of the test that changed rows.
    case lastStep
    /// The test, since its baseline.
    case test
    /// Nobody knows: there is no baseline and no trace that tells.
    case unknown
    /// It was there before the test.
    case baseline
  }

  /// A row that shows it.
  package struct Row: Sendable, Equatable {
    /// `nil` where it cannot be told which row it is.
    package var key: RowKey?
    /// The values that matter.
    package var values: [Value] = []
    /// The test's write of the row; `nil` for none, as far as that is known.
    package var writing: WrittenRows.Writing?
  }

  package struct Value: Sendable, Equatable {
    package var column: String
    package var cell: DatabaseValue
  }

  package var kind: Kind
  var weight = Weight.minor
  /// `nil` for what is about the whole database.
  package var table: String?
  package var columns: [String] = []
  package var triggers: [String] = []
  /// The mark that tells it from others of its kind about the same columns; no value of the database.
  var detail = ""
  /// The finding for the reader, with the first row; names and values are on one line and not escaped.
  package var sentence: String
  /// The first ones, those that the test wrote before all others; none where values are left out.
  package var rows: [Row] = []
  /// The number of rows that show it; `nil` if it is not about rows.
  package var count: Int?
  /// True when `count` is not all of them.
  package var hasMore = false
  /// The test's last write of one of its rows, also where rows are left out.
  var writing: WrittenRows.Writing?
  /// The advice, in a sentence.
  package var remedy: String
  package var origin = Origin.unknown

  /// True when another finding gathers and counts it, as there are many of its kind.
  package var isOneOfMany = false
  /// The number of others of its kind that it counts and that follow; `nil` if it stands for itself.
  package var gathers: Int?

  /// The number of rows that show it beyond `rows`.
  package var omitted: Int { max(0, (count ?? 0) - rows.count) }

  /// True when it is one of many, was there before, or says little by itself and nobody knows who brought it.
  package var isFolded: Bool { isOneOfMany || origin == .baseline || origin == .unknown && weight == .minor }

  /// Rows that a finding names.
  static let mostRows = 10
}

extension Finding.Kind {
  /// The kinds looked for unless others are asked for.
  static let standard = Set(allCases)
}

/// The identity of a table's row.
package enum RowKey: Sendable, Hashable {
  case rowid(Int64)
  /// The primary key of a table without rowid, in its order.
  case values([DatabaseValue])
}
