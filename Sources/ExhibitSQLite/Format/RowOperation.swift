/// What happened to a row.
package enum RowOperation: String, Sendable {
  case insert, update, delete

  /// - Parameter code: SQLite's action code.
  package init?(code: UInt8) {
    switch code {
    case 9: self = .delete
    case 18: self = .insert
    case 23: self = .update
    default: return nil
    }
  }

  package init<Row>(from old: Row?, to new: Row?) {
    self = old == nil ? .insert : new == nil ? .delete : .update
  }
}
