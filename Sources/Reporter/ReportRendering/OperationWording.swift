import ExhibitSQLite

/// The words and signs for what happened to a row from one state to the next.
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
