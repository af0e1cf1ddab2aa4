/// The version of a format that Exhibit writes, `major.minor`.
package struct FormatVersion: Sendable, Equatable {
  package var major: Int
  package var minor: Int

  /// Reads `major.minor`; `nil` for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let major = Int(parts[0]), let minor = Int(parts[1])
    else { return nil }
    (self.major, self.minor) = (major, minor)
  }

  /// Checks that a file's version is one that is read: the present one, or a later minor version of it.
  ///
  /// - Parameters:
  ///   - found: The version that the file says it has.
  ///   - current: The version that this build writes.
  package static func check(_ found: String, against current: String) throws(FormatRefusal) {
    guard let ours = FormatVersion(current) else { return }
    guard let version = FormatVersion(found) else { throw FormatRefusal(.none, found, current) }
    if version.major > ours.major { throw FormatRefusal(.newer, found, current) }
    if version.major < ours.major || version.minor < ours.minor {
      throw FormatRefusal(.older, found, current)
    }
  }
}

/// The version of the artifacts folder's format.
package enum ArtifactsFormat {
  /// The format that this build writes.
  package static let current = "1.4"

  /// Checks that a file's version is one that is read.
  package static func check(_ found: String) throws(FormatRefusal) {
    try FormatVersion.check(found, against: current)
  }

  /// The reason why something in a file cannot be read, when that may be its version; `nil` for the present one.
  package static func laterMinor(_ found: String) -> FormatRefusal? {
    found == current ? nil : FormatRefusal(.later, found, current)
  }
}

/// The reason why a file is not read, or something in it: the version of its format.
package struct FormatRefusal: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable {
    case older
    /// Of a newer major version.
    case newer
    /// Of a later minor version, which is read as far as possible.
    case later
    /// What it says is no version.
    case none
  }

  package var kind: Kind
  private let found: String
  private let current: String

  package init(_ kind: Kind, _ found: String, _ current: String = ArtifactsFormat.current) {
    (self.kind, self.found, self.current) = (kind, found, current)
  }

  /// A sentence: what is the matter, and what to do.
  package var description: String {
    switch kind {
    case .older:
      "Format \(found) is older than \(current), which this reporter reads; run the tests again with this version of Exhibit."
    case .newer: "Format \(found) is newer than \(current), which this reporter reads; update reporter."
    case .later:
      "What cannot be read may be new in format \(found); this reporter was made for \(current): update it."
    case .none: "Its format is no version, as \(current) is."
    }
  }
}
