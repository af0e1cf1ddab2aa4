import Collector
import ExhibitSystem
import Foundation

/// The remains of a run's dead processes.
package struct RecoveredRun: Sendable {
  /// By log name; processes that ended have none.
  var logs: [String: RecoveredLog] = [:]
  /// Reasons why remains are unknown, by log name.
  var problems: [String: String] = [:]
  /// The reason why all are unknown.
  var problem: String?
}

/// Records that complete the log of a dead process.
struct RecoveredLog: Sendable {
  /// Records with paths relative to a folder.
  struct Part: Sendable {
    var records: [LogRecord] = []
    var folder: String
    /// Keeps a temporary folder alive.
    var temporary: TemporaryRun?
  }

  var parts: [Part] = []

  var records: [LogRecord] { parts.flatMap(\.records) }
}

/// A folder that replaces a run's while a report is made, then is removed.
package final class TemporaryRun: Sendable, Equatable {
  let path: String

  init(at place: String) throws(SystemError) {
    path = "\(place)-\(UUID().uuidString)"
    try FileSystem.createFolder(path)
  }

  package static func == (left: TemporaryRun, right: TemporaryRun) -> Bool { left === right }

  deinit {
    // The next report removes what remains.
    try? FileSystem.remove(path)
  }
}
