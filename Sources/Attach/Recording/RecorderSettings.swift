import Collector
import ExhibitStart
import Glibc

/// The recording settings in the environment, read once when the process starts.
struct RecorderSettings: Sendable {
  enum Capture: Sendable {
    /// Captures every database that a failing test opened or used, and what it registered.
    case all
    /// Captures only what was registered; connections are not watched.
    case registered
    case off
  }

  var capture: Capture
  /// The package's folder, where `swift test` starts the tests.
  var packageFolder: String
  var artifacts: ArtifactsFolder
  /// The run's name in `$EXHIBIT_RUN`.
  var runName: String?
  var budget: Budget
  /// The most bytes of the ring, from `$EXHIBIT_TRACE_SIZE`.
  var traceSize: Int
  /// True when what passing tests do is kept too: `$EXHIBIT_RECORD_PASSES`.
  var recordsPasses = false
  /// True when `reporter test` runs the tests and will write the report: `$EXHIBIT_REPORTER`.
  var isReported: Bool
  /// Names of variables whose values could not be read as numbers of bytes.
  var unreadable: [String]
  /// Sentences on variables with a word that is not known.
  var unknownWords: [String] = []
  /// Folders whose databases may be captured without being registered.
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
    switch variable("EXHIBIT_RECORD_PASSES") {
    case "on": recordsPasses = true
    case nil, "", "off": break
    case _?: unknownWords.append("$EXHIBIT_RECORD_PASSES is neither on nor off; passes are not recorded.")
    }
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

  func mayCapture(_ path: String) -> Bool { openFolders.contain(path) }
}
