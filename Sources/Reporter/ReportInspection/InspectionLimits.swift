/// The limits on the time, memory and page that an inspection may take.
package struct InspectionLimits: Sendable {
  /// Rows shown of each table.
  package var rows = 50
  /// Bytes shown of one text or blob.
  package var cellBytes = 400
  /// Bytes shown of one blob, if that is less: enough for the name of a file that Core Data keeps a value in.
  package var blobBytes = 38
  /// Bytes that a trace keeps of a longer value: so much is read where rows are named, and compared with a story.
  package static let toldBytes = 256
  /// Findings that one table may have.
  var tableFindings = 100
  /// Findings behind which no further table is looked at.
  var findings = 500
  /// Rows of each table that findings look at.
  var examinedRows = 1_000_000
  /// Steps that looking at one table may take, for each way of looking.
  var examinedSteps = 80_000_000
  /// Tables and other schema objects read.
  package var schemaObjects = 500
  /// Columns shown of each table.
  package var columns = 100
  /// Bytes shown of a CREATE statement.
  package var statementBytes = 16 * 1024
  /// Steps of SQLite's virtual machine that `quick_check` may take: unlike time, the same on every machine.
  var checkSteps = 200_000_000
  /// Steps that counting or reading one table may take.
  package var tableSteps = 40_000_000
  /// Steps that the whole may take.
  var totalSteps = 800_000_000
  /// Seconds of the processor that the whole may take: the last guard, against steps that take long.
  var totalTime = 20.0
  /// Bytes of the longest value or row that SQLite may load.
  var valueBytes: Int32 = 128 * 1024 * 1024

  package init() {}
}
