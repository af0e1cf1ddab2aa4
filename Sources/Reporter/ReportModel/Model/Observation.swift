package import Collector

/// One test case according to one input; paths are as the input gave them.
package typealias Observation = TestRecord

/// The kind of an input; where two have the same test, the first kind is trusted most.
package enum InputKind: Sendable, Comparable {
  case eventStream, log, xunit, console
}

/// Evidence that an input names, before its file was read.
package struct ObservedEvidence: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    /// A file below a folder that the input may refer to.
    case file(ContainedPath)
    /// The reason why nothing was captured.
    case failure(String)
  }

  /// The way in which an input came to name it.
  package enum Origin: Sendable, Equatable {
    /// Attach captured it, or tried to.
    case captured
    /// The test attached it.
    case attached
    /// The test printed its name; the file may never have existed.
    case printed
  }

  package var kind: EvidenceKind
  package var name: String
  package var content: Content
  package var origin: Origin
  /// The run, where tests have attempts in several.
  package var run: RunID?
  /// True when the test process may have dropped it on purpose, since its test had passed as far as that knew.
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
