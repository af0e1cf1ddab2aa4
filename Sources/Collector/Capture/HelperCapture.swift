package import ExhibitSQLite
import ExhibitSystem

/// Asks a helper process to capture a file that another copy of SQLite has locked here.
package struct HelperRequest: Codable, Sendable, Equatable {
  package var path: String
  package var folder: String
  package var name: String
  package var limits: CaptureLimits
  package var excludedTables: Set<String>
  package var keepsHistory: Bool

  package func capture(image: SQLiteImage = .linked) -> DatabaseCaptureResult {
    DatabaseCapturer(
      image: image, limits: limits, excludedTables: excludedTables, keepsHistory: keepsHistory
    ).capture(.file(DatabaseFile(path: path)), named: name, into: folder)
  }
}

struct HelperCapture {
  let context: CaptureContext
  let helper: @Sendable (HelperRequest) throws -> DatabaseCaptureResult

  /// In a folder of its own a killed helper leaves nothing incomplete.
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
  fileprivate var entries: [String] {
    let paths = files.flatMap { [$0.file, $0.capture.history] }.compactMap { $0 }
    return Set(paths.map { String($0.prefix { $0 != "/" }) }).sorted()
  }
}
