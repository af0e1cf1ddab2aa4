import ExhibitSystem
import Glibc

/// An executable or a library whose code was run, as the file was then.
package struct CodeFile: Hashable, Sendable {
  /// An absolute path.
  package var path: String
  /// The size in bytes.
  package var size: Int
  /// The time of the last change to the content, in nanoseconds since 1970.
  package var changedAt: Int
  /// The linker's build id in lower-case hexadecimal; `nil` for a file without one.
  package var buildID: String?

  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

extension CodeFile {
  /// Describes the file that lies at a path now, links followed.
  ///
  /// - Throws: `SystemError` when it cannot be read.
  package init(at path: String) throws {
    let file = try InputFile(link: path)
    try self.init(
      path: path, size: file.status.bytes, changedAt: Int(file.status.modified),
      buildID: ReportPlaces.buildID(of: file))
  }

  /// True when both files have the same code at the same offsets: by the build ids where both have one, else by size
  /// and time of change.
  package func hasCode(of other: CodeFile) -> Bool {
    if let buildID, let otherID = other.buildID { return buildID == otherID }
    return size == other.size && changedAt == other.changedAt
  }

  /// The sentence that says why the file at the path cannot name this one's addresses; `nil` when it can.
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

  /// The sentence of a problem.
  func unnamed(_ reason: String) -> String { "\(name) \(reason); no names for its addresses." }
}

extension SystemError {
  fileprivate var isOfMissing: Bool { code == ENOENT || code == ENOTDIR }
}

/// A place in code that was run: the address behind a call, as a stack has it.
package struct CodeAddress: Hashable, Sendable {
  package var file: CodeFile
  /// The address less the bias with which the file was loaded.
  package var offset: UInt64

  package init(file: CodeFile, offset: UInt64) {
    (self.file, self.offset) = (file, offset)
  }
}
