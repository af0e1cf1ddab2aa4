package import ExhibitSQLite
import ExhibitSystem

/// A request to a helper process to capture a database that only it may open.
///
/// Another copy of SQLite in the test process holds locks on the file, and closing any descriptor of it there would
/// drop them.
package struct HelperRequest: Codable, Sendable, Equatable {
  /// An absolute path.
  package var path: String
  /// An existing folder that nobody else writes to.
  package var folder: String
  package var name: String
  package var limits: CaptureLimits
  package var excludedTables: Set<String>
  package var keepsHistory: Bool

  /// Captures in this process, which does nothing else.
  package func capture(image: SQLiteImage = .linked) -> DatabaseCaptureResult {
    DatabaseCapturer(
      image: image, limits: limits, excludedTables: excludedTables, keepsHistory: keepsHistory
    ).capture(.file(DatabaseFile(path: path)), named: name, into: folder)
  }
}

/// Lets another process capture a file that only that may open.
struct HelperCapture {
  let context: CaptureContext
  let helper: @Sendable (HelperRequest) throws -> DatabaseCaptureResult

  /// Captures into a folder of its own, so that nothing incomplete stays if the helper is killed.
  func result(of file: DatabaseFile) -> DatabaseCaptureResult {
    do {
      let scratch = try ScratchFolder(in: context.folder)
      let request = HelperRequest(
        path: file.path, folder: scratch.path, name: context.name, limits: context.limits,
        excludedTables: context.excludedTables, keepsHistory: context.keepsHistory)
      var result = try helper(request)
      for entry in result.entries { try scratch.move(entry, to: "\(context.folder)/\(entry)") }
      for index in result.files.indices where result.files[index].isDatabase {
        result.files[index].capture.method = .helper
      }
      return result
    } catch {
      var result = DatabaseCaptureResult()
      result.failures = [CaptureError(error)]
      return result
    }
  }
}

extension DatabaseCaptureResult {
  /// The files and folders that a capture made in its folder.
  fileprivate var entries: [String] {
    let paths = files.flatMap { [$0.file, $0.capture.history] }.compactMap { $0 }
    return Set(paths.map { String($0.prefix { $0 != "/" }) }).sorted()
  }
}
