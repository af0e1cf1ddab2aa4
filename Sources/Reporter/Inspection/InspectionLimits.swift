/// How much an inspection may take of time, memory and page.
struct InspectionLimits: Sendable {
  /// Rows shown of each table.
  var rows = 50
  /// Bytes shown of one text or blob.
  var cellBytes = 400
  /// Tables and other schema objects read.
  var schemaObjects = 500
  /// Columns shown of each table.
  var columns = 100
  /// Bytes shown of a CREATE statement.
  var statementBytes = 16 * 1024
  /// Seconds that `quick_check` may take.
  var checkTime = 5.0
  /// Seconds that counting or reading one table may take.
  var tableTime = 1.0
  /// Seconds that the whole may take.
  var totalTime = 20.0
  /// Bytes of the longest value or row that SQLite may load.
  var valueBytes: Int32 = 128 * 1024 * 1024
}
