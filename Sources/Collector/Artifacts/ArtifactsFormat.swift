package struct FormatVersion: Sendable, Equatable {
  package var major: Int
  package var minor: Int

  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let major = Int(parts[0]), let minor = Int(parts[1])
    else { return nil }
    (self.major, self.minor) = (major, minor)
  }

  /// Accepts the present version, and later minor versions of it.
  package static func check(_ found: String, against current: String) throws(FormatRefusal) {
    guard let ours = FormatVersion(current) else { return }
    guard let version = FormatVersion(found) else { throw FormatRefusal(.none, found, current) }
    if version.major > ours.major { throw FormatRefusal(.newer, found, current) }
    if version.major < ours.major || version.minor < ours.minor {
      throw FormatRefusal(.older, found, current)
    }
  }
}

package enum ArtifactsFormat {
  package static let current = "1.4"

  package static func check(_ found: String) throws(FormatRefusal) {
    try FormatVersion.check(found, against: current)
  }

  /// Says that something may be unreadable in a file of another version.
  package static func laterMinor(_ found: String) -> FormatRefusal? {
    found == current ? nil : FormatRefusal(.later, found, current)
  }
}

/// Why a file, or something in it, is not read: its format's version.
package struct FormatRefusal: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable {
    case older
    case newer
    case later
    case none
  }

  package var kind: Kind
  private let found: String
  private let current: String

  package init(_ kind: Kind, _ found: String, _ current: String = ArtifactsFormat.current) {
    (self.kind, self.found, self.current) = (kind, found, current)
  }

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
