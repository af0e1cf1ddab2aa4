import Collector
import ExhibitSystem

/// The captures of databases that outlive a test.
struct SharedCaptures: Sendable {
  /// Captured files by the path of their database.
  var files: [String: SharedFiles] = [:]
}
