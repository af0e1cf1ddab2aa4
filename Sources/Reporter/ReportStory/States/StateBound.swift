package import Collector

/// Why a table cannot be told as it was after a step.
package enum StateBound: Error, Hashable {
  case rowsNotTold(String)
  case noSuchStep(Int)
  case missing(firstStep: Int)
  case running(step: Int)
  case dropped(step: Int)
  /// With rows that are not told.
  case made(step: Int)
  /// It made the table, or the table was there: nothing tells.
  case mayBeMade(step: Int)
  case altered(step: Int)
  case vacuumed(step: Int)
  case schemaWritten(step: Int)
  case replaced(step: Int)
  case unkept(step: Int)
  /// Something of the app's is on the connection, and would be called otherwise.
  case untold(step: Int, RecordedStory.UntoldRows)
  case withheld(step: Int)
  case keyNotTold(step: Int)
  case otherColumns(step: Int)
  case endNotTold(step: Int)
  case begunBefore(step: Int)
  /// Somebody who was not recorded wrote to the database.
  case unseen(after: Int)
  /// A statement failed, and what a virtual table's module wrote meanwhile stays or not.
  case moduleWrote(step: Int)
  case isVirtual
  case isOfSQLite
  /// No step says why.
  case notCaptured
  case unreadable

  /// True when it stands whatever became of its step.
  var isFixed: Bool { if case .endNotTold = self { true } else { false } }

  /// True when it is about the step that is asked for, not about what is told before it.
  var isOfStep: Bool {
    switch self {
    case .noSuchStep, .running, .missing, .unseen: true
    default: false
    }
  }

  /// Without values of the database.
  package var sentence: String {
    switch self {
    case .rowsNotTold(let reason): "Rows are not told: \(reason)"
    case .noSuchStep(let step): "The story has no step \(step)."
    case .missing(let first): "Steps before step \(first) are missing."
    case .running(let step): "Step \(step) had not ended when the story was written."
    case .dropped(let step): "Step \(step) dropped the table, and its rows were not told."
    case .made(let step): "Step \(step) made the table with rows that were not told."
    case .mayBeMade(let step): "Step \(step) made the table if it was not there, which nothing tells."
    case .altered(let step): "Step \(step) altered the table."
    case .vacuumed(let step): "Step \(step) was a VACUUM, which gives the rows of this table other rowids."
    case .schemaWritten(let step): "Step \(step) wrote to the schema itself."
    case .replaced(let step): "Step \(step) replaced the whole database."
    case .unkept(let step): "There was no room for all rows that step \(step) changed."
    case .untold(let step, .updateHook): "Rows of step \(step) were not told: the app has an update hook."
    case .untold(let step, .progressHandler):
      "Rows of step \(step) were not told: the app has a progress handler."
    case .untold(let step, .other): "Rows of step \(step) were not told."
    case .withheld(let step): "What step \(step) changed is left out for privacy."
    case .keyNotTold(let step): "Step \(step) changed a row whose key was not told whole."
    case .otherColumns(let step): "Rows that step \(step) changed have other columns than the captured table."
    case .endNotTold(let step): "How the transaction of step \(step) ended was not told."
    case .begunBefore(let step): "The transaction of step \(step) began before the first step that is told."
    case .unseen(.max):
      "Somebody who was not recorded wrote to the database: it holds other rows than the steps left."
    case .unseen(let step):
      "Somebody who was not recorded wrote to the database before step \(step): that found other rows than the steps before it left."
    case .moduleWrote(let step):
      "Step \(step) failed, and what was written behind a virtual table meanwhile may have stayed."
    case .isVirtual: "It is a virtual table; its rows are in the tables behind it."
    case .isOfSQLite: "SQLite keeps this table for itself and does not tell all of its rows."
    case .notCaptured: "The table is not in the captured database."
    case .unreadable: "The captured database cannot be read."
    }
  }
}
