import Collector
import ExhibitSystem

/// What was captured of databases that outlive a test.
struct SharedCaptures: Sendable {
  /// By where the databases lie.
  var files: [String: SharedFiles] = [:]
}
