import ExhibitSQLite

/// What became of a row from one state to the next, as people and documents are told.
extension RowOperation {
  var word: String {
    switch self {
    case .insert: "added"
    case .delete: "removed"
    case .update: "changed"
    }
  }

  var sign: String {
    switch self {
    case .insert: "+"
    case .delete: "−"
    case .update: "~"
    }
  }

  var terminalStyle: TerminalStyle {
    switch self {
    case .insert: .added
    case .delete: .removed
    case .update: .changed
    }
  }
}
