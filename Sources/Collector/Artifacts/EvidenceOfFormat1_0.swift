extension DatabaseCapture {
  private enum Key: String, CodingKey {
    case method, view, uncommitted, wal, walSigns, walFrames, databaseBytes, walBytes, history, baseline, note
  }

  /// Reads format 1.0 too, in which only the rows of an open transaction are a view by their own key.
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

/// What format 1.0 says of a database beside another one's WAL in the names of files and in sentences.
///
/// It goes by the keys that are not there and not by the version in the log's first line: what was captured after a
/// process had died follows the first line of that process, of whatever version.
enum EvidenceOfFormat1_0 {
  /// - Parameter path: where the evidence lies.
  static func completed(_ capture: DatabaseCapture, at path: String) -> DatabaseCapture {
    guard capture.wal == .foreign, capture.view == nil else { return capture }
    var capture = capture
    capture.view = path.contains(".with-wal.") ? .withForeignWAL : .alone
    if capture.walSigns.isEmpty, let signs = signs(in: capture.note) { capture.walSigns = [signs] }
    return capture
  }

  /// The reasons, as one: some of them have commas inside.
  private static func signs(in note: String?) -> String? {
    guard let note = note?[...], let start = note.firstRange(of: " is not this database's own: ") else {
      return nil
    }
    let rest = note[start.upperBound...]
    guard let end = rest.firstRange(of: ". This is the database file alone;") else { return nil }
    return String(rest[..<end.lowerBound])
  }
}
