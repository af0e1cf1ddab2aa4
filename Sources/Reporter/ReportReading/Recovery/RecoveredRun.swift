import Collector
import ExhibitSystem
import Foundation

/// What the processes of a run that died have left, found before the run is read.
package struct RecoveredRun: Sendable {
  /// By the name of a log's file; none for a process that ended in order.
  var logs: [String: RecoveredLog] = [:]
  /// Why it is not known whether a process died and what it left, by the name of its log's file.
  var problems: [String: String] = [:]
  /// The same of all processes.
  var problem: String?
}

/// What is known after a process's death, as records that follow those of its log.
struct RecoveredLog: Sendable {
  /// Records whose paths are relative to a folder.
  struct Part: Sendable {
    var records: [LogRecord] = []
    var folder: String
    /// Holds that folder where it is not the run's.
    var temporary: TemporaryRun?
  }

  var parts: [Part] = []

  /// All records, those of the run's own folder first.
  var records: [LogRecord] { parts.flatMap(\.records) }
}

/// A folder that stands for a run's while one report is made.
final class TemporaryRun: Sendable {
  let path: String

  /// - Parameter place: The beginning of its path.
  init(at place: String) throws(SystemError) {
    path = "\(place)-\(UUID().uuidString)"
    try FileSystem.createFolder(path)
  }

  deinit {
    // It is named after us, and the next report of the same name removes it; there is nobody left to tell.
    try? FileSystem.remove(path)
  }
}
