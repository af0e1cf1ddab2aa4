import Collector

/// What the processes of a run that died have left, found before the run is read.
struct RecoveredRun: Sendable {
  /// By the name of a log's file; none for a process that ended in order.
  var logs: [String: RecoveredLog] = [:]
}

/// What is known after a process's death, as records that follow those of its log.
struct RecoveredLog: Sendable {
  var records: [LogRecord] = []
  /// The folder that paths in the records are relative to.
  var folder: String
  /// Holds that folder where it is not the run's.
  var temporary: TemporaryRun?
}
