package import ExhibitSQLite

/// The changes of a WAL's transactions, in order.
///
/// All transactions are counted; rows are kept within `WALHistoryLimits`.
package struct WALHistory: Sendable, Equatable {
  package var count = 0
  package var transactions: [Transaction] = []
  /// The transactions that a checkpoint may have written into the database, so that their changes are unknown.
  package var checkpointed = 0
  /// The number of transactions before the baseline, if it was found.
  package var before: Int?
  /// The net changes since the baseline, or of all transactions.
  package var net = Transaction(number: 0)
  /// Valid frames of an uncommitted transaction.
  package var uncommittedFrames = 0
  /// Transactions without rows, for lack of room.
  package var withoutRows = 0
  /// Sentences on what is missing.
  package var problems: [String] = []
  /// A sentence on how the last state differs from the captured database, if it does.
  package var contradiction: String?

  package init() {}

  package struct Transaction: Sendable, Equatable {
    package var number: Int
    package var pages = 0
    /// In the order of their changes.
    package var tables: [Table] = []
    /// Changed indexes, views and triggers, in schema order.
    package var declarations: [SchemaChange] = []
    /// The changed rows by stored table, including shadow tables.
    package var touched: [Touched] = []

    /// Changed rows outside of SQLite's own tables.
    package var rowCount: Int {
      tables.reduce(0) { $0 + ($1.isInternal ? 0 : $1.groups.reduce(0) { $0 + $1.count }) }
    }
  }

  /// What writes tables of its own beside those of the app.
  package enum Keeper: String, Sendable {
    case sqlite = "SQLite"
    case coreData = "Core Data"
  }

  /// A transaction's changes of one table.
  package struct Table: Sendable, Equatable {
    package var name: String
    package var fate = DatabaseChanges.Table.Fate.kept
    /// Its name before renaming.
    package var formerName: String?
    package var columns: [String] = []
    /// Groups of similar changes.
    package var groups: [LikeChanges] = []
    /// Changed rows by shadow table.
    package var shadows: [String: Int] = [:]
    package var problem: String?
    package var sql: String?
    /// What keeps the table for itself; `nil` for one of the app.
    package var keeper: Keeper?

    package var isInternal: Bool { keeper != nil }

    package func count(_ operation: RowOperation) -> Int {
      groups.lazy.filter { $0.change.operation == operation }.reduce(0) { $0 + $1.count }
    }
  }

  /// The rows of a table that a transaction changed, to compare with a trace.
  package struct Touched: Sendable, Equatable {
    package var table: String
    /// By rowid; `nil` without rowids, or with too many.
    package var rowids: [Int64: RowOperation]?
  }
}

package struct WALHistoryLimits: Sendable {
  /// Rows of similar changes kept per table and transaction.
  var rows = 5
  /// The same for net changes.
  var netRows = 50
  /// Groups of similar changes per table.
  var groups = 20
  /// Rows per table and transaction whose columns are compared.
  var comparedRows = 5000
  /// The same for net changes.
  var netComparedRows = 200_000
  /// Rowids per table and transaction.
  var rowids = 2000
  /// Rowids in total.
  var allRowids = 2_000_000
  var cellBytes = InspectionLimits.toldBytes
  /// SQLite's default maximum.
  var columns = 2000
  /// The approximate size of all rows.
  var rowBytes = 24 << 20
  /// The transactions with the most rows, which keep them.
  var biggest = 32
  /// The last ones are kept.
  var transactions = 100_000
  /// Tables whose layout is read.
  var layouts = 2000
  var statementBytes = 4096
  /// Pages compared with a captured database.
  var comparedPages = 1 << 16
  var totalTime = 60.0
}
