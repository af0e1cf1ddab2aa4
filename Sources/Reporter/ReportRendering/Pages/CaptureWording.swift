import Collector
import ReportModel

extension DatabaseCapture {
  /// Sentences on capture, content and peculiarities.
  var sentence: String {
    let saysWAL = method != .serialize && method != .raw
    let sentence = saysWAL ? "\(methodText); \(walText)." : methodText + "."
    return ([sentence] + [tailText, note].compactMap { $0 }).joined(separator: " ")
  }

  private var tailText: String? {
    guard let pages = walFrames?.uncommitted, pages > 0 else { return nil }
    return "The WAL ends with \(counted(pages, "page")) of a transaction that was not committed; "
      + (history == nil ? "they are not in this file." : "only the raw files have them.")
  }

  private var methodText: String {
    switch method {
    case .readTransaction: "Read inside a read transaction"
    case .ownHandles: "Read through the file handles of the connection that held the lock"
    case .serialize: "Serialized by the test's own connection"
    case .helper: "Read by another process, because a second copy of SQLite had it open in the test’s process"
    case .held: "Held since its last connection was closed, before the failure was known"
    case .postMortem:
      "Copied after its process had died, and recovered in the copy; the original is untouched"
    case .immutable: "Read from disk; no connection of the process had it open"
    case .raw: "The files byte for byte as they lay on disk; SQLite did not open them"
    }
  }

  private var walText: String {
    switch wal {
    case .absent: "there was no WAL"
    case .empty: "the WAL held nothing"
    case .committed: "the WAL’s committed rows are folded in"
    case .backfilled: "the WAL’s committed rows were in the database file already"
    case .uncommitted: "the WAL held only a transaction that was not committed"
    case .torn: "the WAL’s beginning is damaged, so the database file alone is the state"
    case .foreign: "the WAL beside it is another database’s"
    case .reset: "the WAL was reset meanwhile, so the database file alone is the state"
    }
  }
}

extension TestEvidence {
  /// Sentences on the capture.
  ///
  /// SQLite's view of two files has only a note.
  var captureSentence: String? {
    let capture = details.database
    return capture?.view == .withForeignWAL ? capture?.note : capture?.sentence
  }
}

/// Capture values for template `evidence`.
func captureValues(_ evidence: TestEvidence) -> TemplateValues? {
  guard let capture = evidence.details.database else { return nil }
  let wal = capture.walBytes > 0 ? " and a WAL of \(sizeText(capture.walBytes))" : ""
  return [
    "sentence": evidence.captureSentence,
    "uncommitted": capture.uncommitted,
    "original": capture.databaseBytes > 0 || capture.walBytes > 0
      ? sizeText(capture.databaseBytes) + wal : nil,
  ]
}
