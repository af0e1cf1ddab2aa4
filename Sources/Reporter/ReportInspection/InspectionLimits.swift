/// Limits of an inspection.
package struct InspectionLimits: Sendable {
  package var rows = 50
  package var cellBytes = 400
  /// Bytes of a blob; enough for Core Data's file name of an external value.
  package var blobBytes = 38
  /// Bytes of a property list that is read.
  var propertyListBytes = 256 * 1024
  /// The bytes that a trace keeps of longer values, so that values can be compared.
  package static let toldBytes = 256
  var tableFindings = 100
  /// After this many no further table is examined.
  var findings = 500
  var examinedRows = 1_000_000
  /// Steps of each pass over a table.
  var examinedSteps = 80_000_000
  package var schemaObjects = 500
  package var columns = 100
  /// Columns that are read, of which those that tell most are kept.
  static let mostColumns = 2000
  /// Bytes of a CREATE statement.
  package var statementBytes = 16 * 1024
  /// Virtual machine steps of `quick_check`, equal on every machine.
  var checkSteps = 200_000_000
  /// Steps of counting or reading a table.
  package var tableSteps = 40_000_000
  var totalSteps = 800_000_000
  /// Seconds of processor time in total.
  var totalTime = 20.0
  var valueBytes: Int32 = 128 * 1024 * 1024

  package init() {}
}
