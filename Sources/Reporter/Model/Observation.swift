import Collector

/// What one input says about one test case; paths are as the input gave them.
typealias Observation = TestRecord<ObservedEvidence>

/// Where an input comes from; the order is that of trust where two speak of the same test.
enum InputKind: Int, Sendable, Comparable {
  case eventStream, log, xunit

  static func < (left: InputKind, right: InputKind) -> Bool { left.rawValue < right.rawValue }
}

/// Evidence that an input names, before its file was looked at.
struct ObservedEvidence: Sendable, Equatable {
  enum Content: Sendable, Equatable {
    /// A file below a folder that the input may speak of.
    case file(ContainedPath)
    /// Nothing was captured, and why.
    case failure(String)
  }

  /// How an input came to name it.
  enum Origin: Sendable, Equatable {
    /// Attach captured it, or tried to.
    case captured
    /// The test attached it.
    case attached
    /// The test printed its name; whether there ever was such a file nobody knows.
    case printed
  }

  var kind: EvidenceKind
  var name: String
  var content: Content
  var origin = Origin.captured
  /// Its run, where tests have attempts in several.
  var run: RunID?
  /// Whether the test process dropped it on purpose if it is gone: its test had passed as far as that knew.
  var mayBeDropped = false
  /// The absolute path of the original.
  var source: String?
  var database: DatabaseCapture?
  var archive: DirectoryArchive?
}
