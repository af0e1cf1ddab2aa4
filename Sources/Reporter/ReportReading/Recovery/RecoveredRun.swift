import Collector
import ExhibitSystem
import Foundation

/// What a run's dead processes left.
package struct RecoveredRun: Sendable {
  /// By log name; processes that ended have none.
  var logs: [String: RecoveredLog] = [:]
  /// By log name.
  var problems: [String: String] = [:]
  var problem: String?
}

/// Records that complete a dead process's log.
struct RecoveredLog: Sendable {
  /// Records whose paths start at a folder.
  struct Part: Sendable {
    var records: [LogRecord] = []
    var folder: String
    var temporary: TemporaryRun?
  }

  var parts: [Part] = []

  var records: [LogRecord] { parts.flatMap(\.records) }
}

/// A folder that replaces a run's while a report is made.
package final class TemporaryRun: Sendable, Equatable {
  let path: String

  init(at place: String) throws(SystemError) {
    path = "\(place)-\(UUID().uuidString)"
    try FileSystem.createFolder(path)
  }

  package static func == (left: TemporaryRun, right: TemporaryRun) -> Bool { left === right }

  deinit {
    // The next report removes what stays.
    try? FileSystem.remove(path)
  }
}
