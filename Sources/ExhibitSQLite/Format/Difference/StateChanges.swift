/// A table in two states of a database; one of them may not have it.
package struct TablePair: Sendable, Hashable {
  package var old: SchemaEntry?
  package var new: SchemaEntry?

  package init(old: SchemaEntry?, new: SchemaEntry?) {
    self.old = old
    self.new = new
  }

  /// The table as it is declared in the later state that has it.
  package var latest: SchemaEntry? { new ?? old }
}

/// A row that two states of a table do not have in common: by rowid, or by the key of a table WITHOUT ROWID.
package enum RowChange {
  case added(StoredRow)
  case removed(StoredRow)
  case changed(old: StoredRow, new: StoredRow)
}

/// The numbers of rows of one table that two states do not have in common.
package struct TableChanges: Sendable, Equatable {
  package var pair: TablePair
  package var added = 0
  package var removed = 0
  package var changed = 0
  /// The reason why there may be more, or others, than were told.
  package var problem: Problem?

  /// A reason why a table's changes are not known whole.
  package enum Problem: Error, Sendable, Equatable {
    case damaged(DamagedPage)
    /// More rows of a table WITHOUT ROWID differ in one place than are held in memory.
    case tooManyRows(limit: Int)
  }

}

/// The changes from one state of a database to the next.
package struct StateChanges: Sendable {
  /// The declarations before; the same as `newSchema` when nothing of it was written.
  package var oldSchema: [SchemaEntry]
  package var newSchema: [SchemaEntry]
  /// The tables that were made, dropped, declared otherwise, or of which pages differ; the rows of some are the same.
  package var tables: [TableChanges] = []
}
