/// The version of the artifacts folder's format, `major.minor`.
///
/// A reader takes every minor version of its own major version and refuses a newer major one by name.
package struct ArtifactsFormat: Sendable, Equatable {
  package var major: Int
  package var minor: Int

  /// The format this build writes.
  package static let current = "1.2"

  /// Reads `major.minor`, or returns `nil` for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let major = Int(parts[0]), let minor = Int(parts[1]), major >= 0, minor >= 0
    else { return nil }
    self.major = major
    self.minor = minor
  }

  /// Whether this build can read the format.
  package var isReadable: Bool { major == 1 }
}
