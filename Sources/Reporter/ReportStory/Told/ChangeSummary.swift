package import ReportInspection

/// The net changes of some steps, by table.
///
/// An insert and a delete of one row cancel out. Several changes of a row are one, from its first state to its last.
package struct ChangeSummary: Sendable, Equatable {
  /// In the order in which they were first changed.
  package var tables: [Table] = []
  /// `+1 orders, +3 orderLine, 903 rows of orders changed in placed_at only`; empty where nothing changed.
  package var sentence = ""

  package struct Table: Sendable, Equatable {
    package var table: StoryTable
    package var columns: [String]
    package var added = 0
    package var removed = 0
    package var changed = 0
    /// Like changes together, the few before the many.
    package var groups: [LikeChanges] = []
    /// The first of all rows, to be marked where the table is shown; those of highlights have none.
    package var marked: [MarkedRow] = []
    /// The changes of each column, in words: `used_on: NULL → date, 65 rows`.
    package var columnNotes: [String] = []
    /// True when its rows have numbers that tell them apart.
    package var hasRowid = true
    /// The fate of the table itself; one that was declared anew was kept.
    package var fate = DatabaseChanges.Table.Fate.kept
    /// Changes whose rows were not kept, so that they are not in the counts.
    package var unkept = 0
  }
}
