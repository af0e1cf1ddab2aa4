package struct CapturedFile: Codable, Sendable, Equatable {
  package var file: String
  package var bytes: Int
  /// False for a raw file.
  package var isDatabase = true
  package var capture: DatabaseCapture
  package var duration: Double
}

extension DatabaseCapture.View {
  var nameEnding: String {
    switch self {
    case .alone: ""
    case .withForeignWAL: ".with-wal"
    case .uncommitted: ".uncommitted"
    }
  }
}

package struct DatabaseCaptureResult: Codable, Sendable, Equatable {
  package var files: [CapturedFile] = []
  package var failures: [CaptureError] = []

  package init() {}
}
