import ExhibitCSystem
import ExhibitSystem

/// libarchive, loaded at its first use.
struct ArchiveLibrary: @unchecked Sendable {
  // Unchecked: the function pointers never change after loading.
  let functions: exhibit_archive_functions

  static func loaded() throws -> ArchiveLibrary { try result.get() }

  private static let result: Result<ArchiveLibrary, ArchiveError> = {
    let functions = UnsafeMutablePointer<exhibit_archive_functions>.allocate(capacity: 1)
    defer { functions.deallocate() }
    if let problem = exhibit_archive_load(functions) {
      return .failure(
        ArchiveError(
          message:
            "libarchive could not be loaded (\(String(cString: problem))); install libarchive13 or libarchive-dev."
        ))
    }
    return .success(ArchiveLibrary(functions: functions.pointee))
  }()
}

package struct ArchiveError: Error, Equatable, CustomStringConvertible {
  package var message: String
  package var description: String { message }

  init(message: String) {
    self.message = message
  }

  init(_ attempt: String, _ path: String, _ archive: OpaquePointer, in library: ArchiveLibrary) {
    let words = library.functions.archive_error_string(archive).map { String(cString: $0) } ?? "unknown error"
    let reason = library.functions.archive_errno(archive)
    message =
      "Could not \(attempt) \(path): \(words)"
      + (reason > 0 ? " (\(SystemError.message(for: reason)))." : ".")
  }
}
