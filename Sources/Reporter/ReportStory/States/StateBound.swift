package import Collector

/// The reason why a table cannot be told as it was after a step.
package enum StateBound: Error, Hashable {
  /// No rows are told at all, with the reason as a sentence.
  case rowsNotTold(String)
  /// The story has no step of that number.
  case noSuchStep(Int)
  /// Steps before the first that is told are missing.
  case missing(firstStep: Int)
  /// It had not ended when the story was written.
  case running(step: Int)
  case dropped(step: Int)
  /// It was made with rows that are not told.
  case made(step: Int)
  /// Nothing tells whether a step made the table, or it was there.
  case mayBeMade(step: Int)
  case altered(step: Int)
  case vacuumed(step: Int)
  /// The schema's own table was written.
  case schemaWritten(step: Int)
  /// All of the database was replaced by another.
  case replaced(step: Int)
  /// Changes of the step had no room.
  case unkept(step: Int)
  /// Rows of the step are not told: something of the app's is on the connection.
  case untold(step: Int, RecordedStory.UntoldRows)
  /// Rows of the step are left out for privacy.
  case withheld(step: Int)
  /// The key that tells a row from others is not told whole.
  case keyNotTold(step: Int)
  /// The step's rows have other columns than the captured table.
  case otherColumns(step: Int)
  /// A transaction whose end is not told.
  case endNotTold(step: Int)
  /// A transaction that began before the first step that is told.
  case begunBefore(step: Int)
  /// Somebody who was not recorded wrote to the database behind that step.
  case unseen(after: Int)
  /// A statement failed, and what a virtual table's module wrote meanwhile stays or not.
  case moduleWrote(step: Int)
  case isVirtual
  /// SQLite keeps it for itself, and tells its rows not or not all.
  case isOfSQLite
  /// It is not in the captured database, and no step says why.
  case notCaptured
  /// The captured file cannot be read.
  case unreadable

  /// True when it stands from its step on, whatever became of that.
  var isFixed: Bool { if case .endNotTold = self { true } else { false } }

  /// True when it is about the step that is asked for, and not about what is told before it.
  var isOfStep: Bool {
    switch self {
    case .noSuchStep, .running, .missing, .unseen: true
    default: false
    }
  }

  /// The reason, as a sentence without values of the database.
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
