/// The kind of a piece of evidence.
package enum EvidenceKind: String, Sendable, Codable, CaseIterable {
  case database, directory, file, text, data
  /// The test's steps on its databases: `story.jsonl`.
  case story
}

/// Says when evidence is kept after its test.
package enum EvidenceKeep: String, Sendable, Codable, CaseIterable {
  /// Dropped when the test passes.
  case onFailure
  case always
}

/// Records a piece of evidence in the run folder.
package struct CapturedEvidence: LogPayload {
  package static let kind = "evidence"

  package var kind: EvidenceKind
  /// The name for readers, given by the user or taken from the original's file name.
  package var name: String
  /// The path relative to the run folder.
  package var path: String
  /// The size of the file at `path`.
  package var bytes: Int
  /// The absolute path of the original; `nil` for what never was a file.
  package var source: String?
  package var keep: EvidenceKeep
  /// The capture's duration in seconds.
  package var duration: Double
  /// Details of a captured database.
  package var database: DatabaseCapture?
  /// The content of a directory's archive, and what it lacks.
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
}
