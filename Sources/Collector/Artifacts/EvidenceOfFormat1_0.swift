extension DatabaseCapture {
  private enum Key: String, CodingKey {
    case method, view, uncommitted, wal, walSigns, walFrames, databaseBytes, walBytes, history, baseline, note
  }

  /// Reads format 1.0 too, whose only key for a view is `uncommitted`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let isUncommitted = try container.decodeIfPresent(Bool.self, forKey: .uncommitted) ?? false
    self.init(
      method: try container.decode(Method.self, forKey: .method),
      view: try container.decodeIfPresent(View.self, forKey: .view) ?? (isUncommitted ? .uncommitted : nil),
      wal: try container.decode(WALState.self, forKey: .wal),
      walSigns: try container.decodeIfPresent([String].self, forKey: .walSigns) ?? [],
      walFrames: try container.decodeIfPresent(WALFrames.self, forKey: .walFrames),
      databaseBytes: try container.decode(Int.self, forKey: .databaseBytes),
      walBytes: try container.decode(Int.self, forKey: .walBytes),
      history: try container.decodeIfPresent(String.self, forKey: .history),
      baseline: try container.decodeIfPresent(String.self, forKey: .baseline),
      note: try container.decodeIfPresent(String.self, forKey: .note))
  }
}

/// Completes what format 1.0 says of a database with a foreign WAL only in file names and sentences.
///
/// It depends on missing keys and not on the version in the log's first line: a capture after a process's death
/// follows that process's first line, whatever its version.
enum EvidenceOfFormat1_0 {
  /// Adds the view and the signs.
  ///
  /// - Parameter path: The path of the evidence.
  static func completed(_ capture: DatabaseCapture, at path: String) -> DatabaseCapture {
    guard capture.wal == .foreign, capture.view == nil else { return capture }
    var capture = capture
    capture.view = path.contains(".with-wal.") ? .withForeignWAL : .alone
    if capture.walSigns.isEmpty, let signs = signs(in: capture.note) { capture.walSigns = [signs] }
    return capture
  }

  /// All reasons as one text, since some of them contain commas.
  private static func signs(in note: String?) -> String? {
    guard let note = note?[...], let start = note.firstRange(of: " is not this database's own: ") else {
      return nil
    }
    let rest = note[start.upperBound...]
    guard let end = rest.firstRange(of: ". This is the database file alone;") else { return nil }
    return String(rest[..<end.lowerBound])
  }
}
