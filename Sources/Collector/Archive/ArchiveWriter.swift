/// What a directory is made: the name extension of the archive.
package enum ArchiveFormat: String, Sendable, CaseIterable {
  /// Deflate; opens everywhere.
  case zip
  /// Several times faster and smaller, for those who have zstd.
  case tarZstandard = "tar.zst"

  /// Creates the file of an archive.
  ///
  /// - Throws: `ArchiveError` or `SystemError`.
  func writer(creating path: String, processors: Int) throws -> any ArchiveWriter {
    switch self {
    case .zip: try ZipWriter(creating: path, processors: processors)
    case .tarZstandard: try TarWriter(creating: path)
    }
  }
}

/// An archive that is being written: the same entries give the same bytes, at any time, in any time zone and on any
/// number of processors.
///
/// Everything throws `ArchiveError` or `SystemError`.
protocol ArchiveWriter: AnyObject {
  var entries: Int { get }
  /// Whether a file may turn out to have fewer bytes than was said, and an entry be left out when its `body` throws.
  var takesWhatThereIs: Bool { get }

  func addDirectory(_ name: String) throws

  func addLink(_ name: String, to target: String) throws

  /// Adds a file of exactly `bytes` bytes, which `body` hands over piece by piece.
  func addFile(
    _ name: String, bytes: Int, isExecutable: Bool,
    _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws

  /// Writes the end of the archive; without it there is none.
  func finish() throws
}
