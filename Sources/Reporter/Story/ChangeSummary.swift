/// What a number of steps changed in all, by table: an insert and a delete of one row cancel each other, and the
/// changes of one row are one, from what it was first to what it was last.
struct ChangeSummary: Sendable, Equatable {
  /// In the order in which they were first changed.
  var tables: [Table] = []
  /// `+1 orders, +3 orderLine, 903 rows of orders changed in placed_at only`; empty where nothing changed.
  var sentence = ""

  struct Table: Sendable, Equatable {
    var table: StoryTable
    var columns: [String]
    var added = 0
    var removed = 0
    var changed = 0
    /// Like changes together, the few before the many.
    var groups: [Group] = []
    /// The first of all rows, to be marked where the table is shown; those of highlights have none.
    var marked: [MarkedRow] = []
    /// What changed in each column, in words: `used_on: NULL → date, 65 rows`.
    var columnNotes: [String] = []
    /// Whether its rows have numbers that tell them apart.
    var hasRowid = true
    /// What became of the table itself.
    var fate = Fate.kept
    /// Changes whose rows were not kept, so that they are not in the counts.
    var unkept = 0
  }

  enum Fate: Sendable, Equatable {
    case kept, created, dropped
  }

  /// Rows to which the same happened.
  struct Group: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
      case added, removed
      /// In these columns, by index, and in no others.
      case changed([Int])
    }

    var kind: Kind
    var count: Int
    /// The first ones.
    var rows: [Row]
  }

  /// One row, before and after.
  struct Row: Sendable, Equatable {
    /// The rowid, at the end where it is there then; `nil` where the table has none.
    var key: Int64?
    /// `nil` of a row that was added.
    var old: [Story.Value?]?
    /// `nil` of a row that was removed.
    var new: [Story.Value?]?
    /// The steps that wrote it, the first and the last few.
    var steps: [Int]
  }
}
