package import ExhibitSQLite

/// Something in a database that looks like a mistake.
package struct Finding: Sendable, Equatable {
  /// The raw values are part of report.json's format.
  package enum Kind: String, Sendable, CaseIterable {
    /// `quick_check` failed, or the file is unreadable.
    case damage
    /// A row refers to a missing row.
    case brokenForeignKey
    /// The number of no entity in a store of Core Data.
    case unknownEntity
    /// A key in a store of Core Data that is given out again.
    case spentKey
    /// The WAL belongs to another database.
    case foreignWAL
    /// A hot journal must be rolled back.
    case hotJournal
    /// A number stored as text among numbers.
    case numberAsText
    /// A date or time that does not exist.
    case impossibleDate
    /// Several types in one column.
    case mixedTypes
    /// NULL and the empty text in one column.
    case nullBesideEmpty
    /// Dates in several formats or offsets in one column.
    case mixedDates
    /// Keys that differ only in case, white space or encoding.
    case equalKeys
    /// Rows that differ only in their key.
    case equalRows
    /// A written value far from all others.
    case outlier
    /// A written value that an index already had, where all were unique before.
    case newDuplicate
    /// Triggers of the same event with conflicting writes.
    case conflictingTriggers
  }

  /// How serious a finding is when its origin is unknown.
  enum Weight: Int, Sendable {
    case strong, minor
  }

  package enum Origin: String, Sendable, CaseIterable {
    /// The test's last step that changed rows.
    case lastStep
    /// The test, after its baseline.
    case test
    /// Without baseline and trace.
    case unknown
    /// Before the test.
    case baseline
  }

  package struct Row: Sendable, Equatable {
    package var key: RowKey?
    package var values: [Value] = []
    /// The test's write of the row, if known.
    package var writing: WrittenRows.Writing?
  }

  package struct Value: Sendable, Equatable {
    package var column: String
    package var cell: DatabaseValue
  }

  package var kind: Kind
  var weight = Weight.minor
  package var table: String?
  package var columns: [String] = []
  package var triggers: [String] = []
  /// Distinguishes findings of one kind and column; contains no values.
  var detail = ""
  /// The finding in words, on one line, not escaped.
  package var sentence: String
  /// The first rows, those written by the test first; empty without values.
  package var rows: [Row] = []
  /// The number of rows concerned, if any.
  package var count: Int?
  /// True when `count` is a lower bound.
  package var hasMore = false
  /// The test's last write of any of its rows.
  var writing: WrittenRows.Writing?
  package var remedy: String
  package var origin = Origin.unknown

  /// True when a gathered finding counts this one.
  package var isOneOfMany = false
  /// The number of findings that follow and are counted by this one.
  package var gathers: Int?

  package var omitted: Int { max(0, (count ?? 0) - rows.count) }

  /// True when it is shown collapsed.
  package var isFolded: Bool { isOneOfMany || origin == .baseline || origin == .unknown && weight == .minor }

  static let mostRows = 10
}

extension Finding.Kind {
  static let standard = Set(allCases)
}

package enum RowKey: Sendable, Hashable {
  case rowid(Int64)
  /// The primary key of a table `WITHOUT ROWID`.
  case values([DatabaseValue])
}
