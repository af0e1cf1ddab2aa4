package import Collector

/// One test case according to one input.
package typealias Observation = TestRecord

package enum InputKind: Sendable, Comparable {
  case eventStream, log, xunit, console
}

/// Evidence that an input names, before its file is read.
package struct ObservedEvidence: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    case file(ContainedPath)
    case failure(String)
  }

  package enum Origin: Sendable, Equatable {
    case captured
    case attached
    /// The test printed its name; the file may never have existed.
    case printed
  }

  package var kind: EvidenceKind
  package var name: String
  package var content: Content
  package var origin: Origin
  package var run: RunID?
  /// The process may have removed it, as the test had passed so far.
  package var mayBeDropped: Bool
  package var source: String?
  package var details: EvidenceDetails?

  package init(
    kind: EvidenceKind, name: String, content: Content, origin: Origin = Origin.captured, run: RunID? = nil,
    mayBeDropped: Bool = false, source: String? = nil, details: EvidenceDetails? = nil
  ) {
    self.kind = kind
    self.name = name
    self.content = content
    self.origin = origin
    self.run = run
    self.mayBeDropped = mayBeDropped
    self.source = source
    self.details = details
  }
}
