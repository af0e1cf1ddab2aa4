package import Collector

/// What one input says about one test case; paths are as the input gave them.
package typealias Observation = TestRecord<ObservedEvidence>

/// Where an input comes from; the order is that of trust where two speak of the same test.
package enum InputKind: Int, Sendable, Comparable {
  case eventStream, log, xunit

  package static func < (left: InputKind, right: InputKind) -> Bool { left.rawValue < right.rawValue }
}

/// Evidence that an input names, before its file was looked at.
package struct ObservedEvidence: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    /// A file below a folder that the input may speak of.
    case file(ContainedPath)
    /// Nothing was captured, and why.
    case failure(String)
  }

  /// How an input came to name it.
  package enum Origin: Sendable, Equatable {
    /// Attach captured it, or tried to.
    case captured
    /// The test attached it.
    case attached
    /// The test printed its name; whether there ever was such a file nobody knows.
    case printed
  }

  package var kind: EvidenceKind
  package var name: String
  package var content: Content
  package var origin: Origin
  /// Its run, where tests have attempts in several.
  package var run: RunID?
  /// Whether the test process dropped it on purpose if it is gone: its test had passed as far as that knew.
  package var mayBeDropped: Bool
  /// The absolute path of the original.
  package var source: String?
  package var database: DatabaseCapture?
  package var archive: DirectoryArchive?

  package init(
    kind: EvidenceKind, name: String, content: Content, origin: Origin = Origin.captured, run: RunID? = nil,
    mayBeDropped: Bool = false, source: String? = nil, database: DatabaseCapture? = nil,
    archive: DirectoryArchive? = nil
  ) {
    self.kind = kind
    self.name = name
    self.content = content
    self.origin = origin
    self.run = run
    self.mayBeDropped = mayBeDropped
    self.source = source
    self.database = database
    self.archive = archive
  }
}
