import ExhibitSQLite

/// What became of a row from one state to the next, as people and documents are told.
extension RowOperation {
  var word: String { told.word }
  var sign: String { told.sign }
  var terminalStyle: TerminalStyle { told.style }

  private var told: (word: String, sign: String, style: TerminalStyle) {
    switch self {
    case .insert: ("added", "+", .added)
    case .delete: ("removed", "−", .removed)
    case .update: ("changed", "~", .changed)
    }
  }
}
