import Collector
import ExhibitStart
import Glibc

struct RecorderSettings: Sendable {
  enum Capture: Sendable {
    case all
    /// What was registered; connections are not watched.
    case registered
    case off
  }

  var capture: Capture
  var packageFolder: String
  var artifacts: ArtifactsFolder
  /// `$EXHIBIT_RUN`.
  var runName: String?
  var budget: Budget
  /// Bytes: `$EXHIBIT_TRACE_SIZE`.
  var traceSize: Int
  /// `$EXHIBIT_RECORD_PASSES`.
  var recordsPasses = false
  /// `reporter test` writes the report: `$EXHIBIT_REPORTER`.
  var isReported: Bool
  var unreadable: [String]
  var unknownWords: [String] = []
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
