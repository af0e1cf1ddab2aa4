package enum EvidenceKind: String, Sendable, Codable, CaseIterable {
  case database, directory, file, text, data
  case story
}

package enum EvidenceKeep: String, Sendable, Codable, CaseIterable {
  case onFailure
  case always
}

package struct CapturedEvidence: LogPayload {
  package static let kind = "evidence"

  package var kind: EvidenceKind
  package var name: String
  /// Relative to the run folder.
  package var path: String
  package var bytes: Int
  /// Absolute; `nil` for what was no file.
  package var source: String?
  package var keep: EvidenceKeep
  /// Seconds.
  package var duration: Double
  package var database: DatabaseCapture?
  package var archive: DirectoryArchive?

  package init(
    kind: EvidenceKind, name: String, path: String, bytes: Int, source: String? = nil,
    keep: EvidenceKeep = .onFailure, duration: Double = 0, database: DatabaseCapture? = nil,
    archive: DirectoryArchive? = nil
  ) {
    self.kind = kind
    self.name = name
    self.path = path
    self.bytes = bytes
    self.source = source
    self.keep = keep
    self.duration = duration
    self.database = database
    self.archive = archive
  }

  package func write(to text: inout JSONText) {
    text.member("kind", kind.rawValue)
    text.member("name", name)
    text.member("path", path)
    text.member("bytes", bytes)
    text.member("source", source)
    text.member("keep", keep.rawValue)
    text.member("duration", duration)
    if let database { text.object("database") { database.write(to: &$0) } }
    if let archive { text.object("archive") { archive.write(to: &$0) } }
  }

  package var details: EvidenceDetails? { database.map { .database($0) } ?? archive.map { .archive($0) } }
}

/// What a capture tells beside its file, by the kind of evidence; nothing of most.
package enum EvidenceDetails: Sendable, Equatable {
  case database(DatabaseCapture)
  case archive(DirectoryArchive)
}

extension EvidenceDetails? {
  package var database: DatabaseCapture? {
    get { if case .database(let capture)? = self { capture } else { nil } }
    set { self = newValue.map { .database($0) } }
  }

  package var archive: DirectoryArchive? {
    if case .archive(let archive)? = self { archive } else { nil }
  }
}
