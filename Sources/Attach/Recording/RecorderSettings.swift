import Collector
import ExhibitStart
import Glibc

/// What the environment says of recording, read once when the process starts.
struct RecorderSettings: Sendable {
  enum Capture: Sendable {
    /// Every database that a failing test opened or used, and what was registered.
    case all
    /// Only what was registered; connections are not watched.
    case registered
    case off
  }

  var capture: Capture
  /// The folder in which `swift test` starts the tests: the package's.
  var packageFolder: String
  var artifacts: ArtifactsFolder
  /// `$EXHIBIT_RUN`.
  var runName: String?
  var budget: Budget
  /// `$EXHIBIT_TRACE_SIZE`: the most bytes of the ring.
  var traceSize: Int
  /// `$EXHIBIT_REPORTER`: whether `reporter test` runs the tests, and writes the report when they end.
  var isReported: Bool
  /// Variables whose values could not be read.
  var unreadable: [String]
  /// Where a database may be captured without being registered.
  private let openFolders: OpenFolders

  init(variable: (String) -> String? = RecorderSettings.environmentVariable) {
    capture =
      switch exhibit_capture_mode() {
      case exhibit_capture_off: .off
      case exhibit_capture_registered: .registered
      default: .all
      }
    packageFolder = Self.currentFolder()
    artifacts = ArtifactsFolder(variable: variable("EXHIBIT_ARTIFACTS"), packageFolder: packageFolder)
    runName = variable("EXHIBIT_RUN")
    isReported = variable("EXHIBIT_REPORTER") == "1"
    (budget, unreadable) = Budget.read(variable)
    let (size, isReadable) = Budget.traceSize(variable)
    traceSize = size
    if !isReadable { unreadable.append("EXHIBIT_TRACE_SIZE") }
    openFolders = OpenFolders(packageFolder: packageFolder, variable: variable)
  }

  static func environmentVariable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private static func currentFolder() -> String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    return String(cString: path)
  }

  /// Whether a database at this path may be captured although nobody registered it.
  func mayCapture(_ path: String) -> Bool { openFolders.contain(path) }
}
