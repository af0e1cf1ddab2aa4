/// The version of the artifacts folder's format, `major.minor`.
///
/// A reader reads every minor version of its own major version; for a newer major version its error names that.
package struct ArtifactsFormat: Sendable, Equatable {
  package var major: Int
  package var minor: Int

  /// The format that this build writes.
  package static let current = "1.4"

  /// Reads `major.minor`; `nil` for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let major = Int(parts[0]), let minor = Int(parts[1]), major >= 0, minor >= 0
    else { return nil }
    self.major = major
    self.minor = minor
  }

  /// True when this build can read the format.
  package var isReadable: Bool { major == 1 }
}
