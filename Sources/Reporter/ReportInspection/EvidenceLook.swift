package import Collector
package import ReportModel

/// What is found in a piece of evidence, by its kind.
package enum EvidenceLook: Sendable {
  /// With the changes since its baseline, if it has one.
  case database(DatabaseInspection, DatabaseChanges?)
  case archive(ArchiveListing)
  case text(String)

  /// Looks at the file; `nil` where nothing of it is shown.
  ///
  /// - Parameters:
  ///   - path: That of the evidence.
  ///   - rows: False leaves out rows, and texts, which may have such values.
  package init?(of evidence: TestEvidence, at path: String, in folder: String, rows: Bool) {
    let file = folder + "/" + path
    switch evidence.kind {
    case .database:
      self = .database(
        inspectDatabase(at: file, rows: rows),
        evidence.baseline.map { compareDatabases(file, since: folder + "/" + $0, rows: rows) })
    case .directory: self = .archive(inspectArchive(at: file))
    case .text, .file, .data:
      guard rows, let text = previewText(at: file) else { return nil }
      self = .text(text)
    case .story: return nil
    }
  }
}
