package import ExhibitSQLite

/// The changes of a WAL's transactions, one after the other, read from a database and its WAL as they lay on disk.
///
/// Every transaction is counted; of rows the first ones are kept, see `WALHistoryLimits`.
package struct WALHistory: Sendable, Equatable {
  /// The number of committed transactions.
  package var count = 0
  /// The transactions told, in their order.
  package var transactions: [Transaction] = []
  /// Up to which of them a checkpoint may have written over what the database file held before, so that what they changed
  /// is not known.
  package var checkpointed = 0
  /// The number of them before the state that was asked for; `nil` where none of them left it.
  package var before: Int?
  /// The net changes of all transactions behind that state, or of all that are told.
  package var net = Transaction(number: 0)
  /// Valid frames of a transaction that had not been committed.
  package var uncommittedFrames = 0
  /// Transactions whose rows are only counted, as there was no room for more.
  package var withoutRows = 0
  /// The reasons nothing, or not all, is told, in sentences.
  package var problems: [String] = []
  /// The difference of the last state from the captured database, in a sentence; `nil` for none, or no such database.
  package var contradiction: String?

  package init() {}

  /// One transaction.
  package struct Transaction: Sendable, Equatable {
    /// From 1, as they lie in the WAL.
    package var number: Int
    /// The number of pages it wrote.
    package var pages = 0
    /// The tables with changes, in the order in which they were made.
    package var tables: [Table] = []
    /// The objects, not tables, that it made, dropped or declared anew, in the schema's order.
    package var declarations: [SchemaChange] = []
    /// The rows that it touched in all, by the table that has them, the data of virtual tables too.
    package var touched: [Touched] = []

    /// The number of rows it changed, without those of tables that SQLite keeps for itself.
    package var rowCount: Int {
      tables.reduce(0) { $0 + ($1.isInternal ? 0 : $1.groups.reduce(0) { $0 + $1.count }) }
    }
  }

  /// The changes of a transaction in one table.
  package struct Table: Sendable, Equatable {
    package var name: String
    package var fate = DatabaseChanges.Table.Fate.kept
    /// Its name before, where it was renamed.
    package var formerName: String?
    package var columns: [String] = []
    /// Like changes together, in the order in which they were found.
    package var groups: [LikeChanges] = []
    /// The changed rows in each table that holds a virtual table's data, by name.
    package var shadows: [String: Int] = [:]
    /// The reason its rows are not told, or not all, in a sentence.
    package var problem: String?
    /// The CREATE statement of one that was made or declared anew.
    package var sql: String?

    /// True when SQLite keeps something for itself in it.
    package var isInternal: Bool { name.isOfSQLite }

    package func count(_ operation: RowOperation) -> Int {
      groups.lazy.filter { $0.change.operation == operation }.reduce(0) { $0 + $1.count }
    }
  }

  /// The rows of one table that a transaction touched, to be compared with what a trace tells.
  package struct Touched: Sendable, Equatable {
    package var table: String
    /// By rowid; `nil` for a table without, or where there are more than are kept.
    package var rowids: [Int64: RowOperation]?
  }
}

/// The limits on what is kept of a WAL's history.
package struct WALHistoryLimits: Sendable {
  /// Rows of like changes that one transaction keeps of a table.
  var rows = 5
  /// The same of the net changes.
  var netRows = 50
  /// Like changes of a table that are told apart.
  var groups = 20
  /// Changed rows of a table in one transaction whose columns are compared.
  var comparedRows = 5000
  /// The same of the net changes.
  var netComparedRows = 200_000
  /// Rowids that one transaction keeps of a table.
  var rowids = 2000
  /// Rowids that are kept in all.
  var allRowids = 2_000_000
  /// Bytes of a text or blob that are shown.
  var cellBytes = InspectionLimits.toldBytes
  /// Columns that are compared and kept: no table of SQLite's has more, unless it was built for that.
  var columns = 2000
  /// Bytes that the rows of all transactions may take, roughly.
  var rowBytes = 24 << 20
  /// The transactions with the most changed rows, which keep theirs.
  var biggest = 32
  /// Transactions that are told; the last ones.
  var transactions = 100_000
  /// Tables that SQLite is asked of how their rows lie.
  var layouts = 2000
  /// Bytes of a CREATE statement that are kept.
  var statementBytes = 4096
  /// Pages of a captured database that are compared in all.
  var comparedPages = 1 << 16
  /// Seconds of the processor that the whole may take: the last guard.
  var totalTime = 60.0
}
