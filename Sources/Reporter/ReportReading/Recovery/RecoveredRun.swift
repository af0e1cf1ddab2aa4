import Collector
import ExhibitSystem
import Foundation

/// The remains of a run's processes that died, found before the run is read.
package struct RecoveredRun: Sendable {
  /// Remains by the name of a log's file; none for a process that ended in order.
  var logs: [String: RecoveredLog] = [:]
  /// Reasons why the remains of a process are unknown, by the name of its log's file.
  var problems: [String: String] = [:]
  /// The reason why the remains of all processes are unknown.
  var problem: String?
}

/// Records made after a process's death, which follow those of its log.
struct RecoveredLog: Sendable {
  /// Records whose paths are relative to a folder.
  struct Part: Sendable {
    var records: [LogRecord] = []
    var folder: String
    /// Keeps the folder where it is not the run's.
    var temporary: TemporaryRun?
  }

  var parts: [Part] = []

  /// All records, those of the run's own folder first.
  var records: [LogRecord] { parts.flatMap(\.records) }
}

/// A folder that takes the place of a run's while one report is made.
package final class TemporaryRun: Sendable, Equatable {
  let path: String

  /// - Parameter place: The beginning of its path.
  init(at place: String) throws(SystemError) {
    path = "\(place)-\(UUID().uuidString)"
    try FileSystem.createFolder(path)
  }

  package static func == (left: TemporaryRun, right: TemporaryRun) -> Bool { left === right }

  deinit {
    // It has our name, so the next report of the same name removes it; there is nobody left to tell.
    try? FileSystem.remove(path)
  }
}
