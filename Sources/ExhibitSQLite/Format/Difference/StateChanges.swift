/// A table in two states of a database, or in one of them.
package struct TablePair: Sendable, Hashable {
  package var old: SchemaEntry?
  package var new: SchemaEntry?

  package init(old: SchemaEntry?, new: SchemaEntry?) {
    self.old = old
    self.new = new
  }

  package var latest: SchemaEntry? { new ?? old }
}

/// A row that differs, by rowid or by the key of a table WITHOUT ROWID.
package enum RowChange {
  case added(StoredRow)
  case removed(StoredRow)
  case changed(old: StoredRow, new: StoredRow)
}

/// How many rows of one table differ between two states.
package struct TableChanges: Sendable, Equatable {
  package var pair: TablePair
  package var added = 0
  package var removed = 0
  package var changed = 0
  /// Why the numbers may be incomplete or wrong.
  package var problem: Problem?

  package enum Problem: Error, Sendable, Equatable {
    case damaged(DamagedPage)
    /// Too many rows of a table WITHOUT ROWID differ in one place to be held in memory.
    case tooManyRows(limit: Int)
  }

}

/// The changes from one state of a database to the next.
package struct StateChanges: Sendable {
  /// The same as `newSchema` when the schema was not written.
  package var oldSchema: [SchemaEntry]
  package var newSchema: [SchemaEntry]
  /// Tables that were created, dropped, redeclared or have changed pages.
  package var tables: [TableChanges] = []
}
