/// What a test changed in a database, table by table.
struct DatabaseChanges: Sendable, Equatable {
  /// Tables that differ, in the order of the captured schema; dropped ones follow.
  var tables: [Table] = []
  /// Tables that are as they were.
  var unchanged = 0
  /// What could not be compared, in sentences for the reader.
  var problems: [String] = []
  /// Whether the time was over before all was compared, so that another machine may show more.
  var isCutByTime = false

  struct Table: Sendable, Equatable {
    /// What became of the table itself.
    enum Fate: Sendable, Equatable {
      case kept, created, dropped
      /// Its CREATE statement is another one.
      case redefined
    }

    var name: String
    var fate: Fate = .kept
    /// Those that are shown: the ones that changed, and the first of the others.
    var columns: [String] = []
    /// How many more there are.
    var omittedColumns = 0
    /// How many of those have other values in the rows shown.
    var omittedChanges = 0
    /// Rows; `nil` when they could not be compared.
    var added: Int? = 0
    var removed: Int? = 0
    var changed: Int? = 0
    /// The first of them: changed and added ones in the table's order, then removed ones.
    var rows: [Row] = []
    /// Why rows are missing, in a sentence.
    var problem: String?

    var isSame: Bool { fate == .kept && problem == nil && added == 0 && removed == 0 && changed == 0 }
  }

  struct Row: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
      case added, removed, changed
    }

    var kind: Kind
    /// The values now; of a removed row the last ones.
    var cells: [DatabaseInspection.Cell]
    /// Of a changed row the values it had, where they differ.
    var before: [DatabaseInspection.Cell?] = []
  }
}
