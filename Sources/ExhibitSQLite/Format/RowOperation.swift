/// The operation of a statement on one row, or the difference between two states of a row.
package enum RowOperation: String, Sendable {
  case insert, update, delete

  /// - Parameter code: SQLite's number of the action.
  package init?(code: UInt8) {
    switch code {
    case 9: self = .delete
    case 18: self = .insert
    case 23: self = .update
    default: return nil
    }
  }

  /// - Parameters:
  ///   - old: `nil` where there was no row before.
  ///   - new: `nil` where there is none behind it.
  package init<Row>(from old: Row?, to new: Row?) {
    self = old == nil ? .insert : new == nil ? .delete : .update
  }
}
