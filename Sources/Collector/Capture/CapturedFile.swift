/// A captured file in the evidence folder.
package struct CapturedFile: Codable, Sendable, Equatable {
  /// The file's name in the folder that it was captured into.
  package var file: String
  package var bytes: Int
  /// True for a file that SQLite opens; a raw file may be anything.
  package var isDatabase = true
  /// The method of the capture, and details of the content.
  package var capture: DatabaseCapture
  /// Seconds from the beginning of the capture until the file was published.
  package var duration: Double
}

extension DatabaseCapture.View {
  /// The ending of this view's file name, before the extension.
  var nameEnding: String {
    switch self {
    case .alone: ""
    case .withForeignWAL: ".with-wal"
    case .uncommitted: ".uncommitted"
    }
  }
}

/// The result of capturing one database: files, failures, or both.
package struct DatabaseCaptureResult: Codable, Sendable, Equatable {
  package var files: [CapturedFile] = []
  package var failures: [CaptureError] = []

  package init() {}
}
