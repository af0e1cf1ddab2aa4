import ExhibitSystem
import Glibc

/// An executable or library, as it was when it ran.
package struct CodeFile: Hashable, Sendable {
  package var path: String
  package var size: Int
  /// The time of modification, in nanoseconds since 1970.
  package var changedAt: Int
  /// In lower-case hexadecimal, if any.
  package var buildID: String?

  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

extension CodeFile {
  /// Describes the file at a path, following links.
  ///
  /// - Throws: `SystemError`.
  package init(at path: String) throws {
    let file = try InputFile(link: path)
    try self.init(
      path: path, size: file.status.bytes, changedAt: Int(file.status.modified),
      buildID: ReportPlaces.buildID(of: file))
  }

  /// True when both have the same code: equal build ids, or else equal size and modification time.
  package func hasCode(of other: CodeFile) -> Bool {
    if let buildID, let otherID = other.buildID { return buildID == otherID }
    return size == other.size && changedAt == other.changedAt
  }

  /// Why the present file cannot name addresses, as a sentence; `nil` if it can.
  package var problem: String? {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else { return unnamed("is no file") }
    do {
      return try CodeFile(at: path).hasCode(of: self) ? nil : unnamed("was built again since the run")
    } catch let error as SystemError {
      return unnamed(error.isOfMissing ? "is not there any more" : "cannot be read (\(error.reason))")
    } catch {
      return unnamed("cannot be read (\(error))")
    }
  }

  func unnamed(_ reason: String) -> String { "\(name) \(reason); no names for its addresses." }
}

extension SystemError {
  fileprivate var isOfMissing: Bool { code == ENOENT || code == ENOTDIR }
}

/// A code address: the return address of a call.
package struct CodeAddress: Hashable, Sendable {
  package var file: CodeFile
  /// Relative to the file's load bias.
  package var offset: UInt64

  package init(file: CodeFile, offset: UInt64) {
    (self.file, self.offset) = (file, offset)
  }
}
