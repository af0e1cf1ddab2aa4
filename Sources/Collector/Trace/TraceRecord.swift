package import ExhibitSQLite

/// What a process's ring says, record by record: docs/artifacts-format.md, "The trace".
package struct TraceRecord: Sendable, Equatable {
  /// Where it begins, counted from the first byte that was ever written.
  package var position: UInt64
  /// Nanoseconds since the ring was made.
  package var time: UInt64
  /// The serial of the test in its process; 0 when nobody knows of one.
  package var test: Int
  /// The number of the connection in its process; 0 for none.
  package var connection: Int
  package var content: Content

  package enum Content: Sendable, Equatable {
    /// A text of SQL, which steps name by its position.
    case text(TraceText)
    case closed
    case step(Step)
    /// A trigger runs inside a step.
    case trigger(step: UInt64, name: String)
    case columns(step: UInt64, names: [String])
    case row(step: UInt64, values: [DatabaseValue?])
    case change(step: UInt64, RecordedStory.Change)
    case end(End)
    case error(step: UInt64, RecordedStory.Failure)
    case began
    case ended
    /// An issue of the test, by its ordinal.
    case issue(Int)
    case baseline
    /// What came before is gone, for a reason.
    case cleared(String)
    /// Of a later version.
    case unknown(UInt16)
  }

  /// A statement begins.
  package struct Step: Sendable, Equatable {
    package var number: UInt64
    /// The position of its text.
    package var text: UInt64
    /// The text with its values, where neither rows nor text tell them.
    package var expanded: String?
    package var isReadOnly: Bool
    /// Whether it begins outside of a transaction.
    package var hadAutocommit: Bool
    /// Whether its values may not be told.
    package var isWithheld: Bool
    /// Why its rows are not told, if it changes any, as earlier versions had it.
    package var untold: RecordedStory.UntoldRows?
  }

  /// A statement is at its end.
  package struct End: Sendable, Equatable {
    package var step: UInt64
    package var nanoseconds: UInt64
    package var rows: UInt64
    /// Rows that it changed itself; `nil` for one that only reads.
    package var changed: UInt64?
    /// Changes that were told, those of triggers among them.
    package var changes: UInt64
    /// Changes that found no room.
    package var unkept: UInt64
    package var hasAutocommit: Bool
    /// Why rows that it changed are not told; `nil` when all are.
    package var untold: RecordedStory.UntoldRows?
  }
}

/// A text of SQL, maybe only its beginning.
package struct TraceText: Sendable, Equatable {
  package var text: String
  /// Bytes of all of it.
  package var size: Int

  package init(_ text: String, size: Int) {
    self.text = text
    self.size = size
  }
}
