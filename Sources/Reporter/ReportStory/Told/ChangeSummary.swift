package import ReportInspection

/// The net changes of some steps by table: of several changes of a row only the first state and the last stay.
package struct ChangeSummary: Sendable, Equatable {
  package var tables: [Table] = []
  /// `+1 orders, 903 rows of orders changed in placed_at only`; empty for no change.
  package var sentence = ""

  package struct Table: Sendable, Equatable {
    package var table: StoryTable
    package var columns: [String]
    package var added = 0
    package var removed = 0
    package var changed = 0
    /// The few before the many.
    package var groups: [LikeChanges] = []
    /// Rows that are marked where the table is shown.
    package var marked: [MarkedRow] = []
    /// `used_on: NULL → date, 65 rows`.
    package var columnNotes: [String] = []
    package var hasRowid = true
    package var fate = DatabaseChanges.Table.Fate.kept
    /// Changes without rows, which are not in the counts.
    package var unkept = 0
  }
}
