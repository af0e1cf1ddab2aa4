/// A captured file as it lies in the evidence folder.
package struct CapturedFile: Codable, Sendable, Equatable {
  /// The name of the file in the folder it was captured into.
  package var file: String
  package var bytes: Int
  /// Whether the file is one that SQLite opens; a raw file may be anything.
  package var isDatabase = true
  /// How it was captured and what is in it.
  package var capture: DatabaseCapture
  /// Seconds from the beginning of the capture until the file was in its place.
  package var duration: Double
}

extension DatabaseCapture.View {
  /// What the file of this view has behind the name of its database, before its extension.
  var nameEnding: String {
    switch self {
    case .alone: ""
    case .withForeignWAL: ".with-wal"
    case .uncommitted: ".uncommitted"
    }
  }
}

/// What capturing one database brought: files, reasons why there are none, or one of each.
package struct DatabaseCaptureResult: Codable, Sendable, Equatable {
  package var files: [CapturedFile] = []
  package var failures: [CaptureError] = []

  package init() {}
}
