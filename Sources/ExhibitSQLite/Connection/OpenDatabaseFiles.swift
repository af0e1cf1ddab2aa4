package import ExhibitSystem

/// The database files that something in this process has open: any copy of SQLite.
package enum OpenDatabaseFiles {
  /// By their paths, in the order of opening.
  ///
  /// Deleted ones have no path any more and are left out.
  package static func all() -> [(path: String, identity: FileIdentity)] {
    var found: [(path: String, identity: FileIdentity)] = []
    for descriptor in OpenDescriptors.all().sorted() where !OpenDescriptors.isPathOnly(descriptor) {
      guard let status = FileStatus(descriptor: descriptor), status.kind == .regular,
        !found.contains(where: { $0.identity == status.identity }), isDatabase(descriptor),
        let path = OpenDescriptors.path(of: descriptor),
        // A path that cannot be looked at leads to no file that could be captured.
        (try? FileStatus(path: path))?.identity == status.identity
      else { continue }
      found.append((path, status.identity))
    }
    return found
  }

  /// Whether a descriptor leads to a file that begins as a database does.
  ///
  /// Whoever owns it is not disturbed: nothing is opened, closed or moved.
  package static func isDatabase(_ descriptor: Int32) -> Bool {
    var bytes = [UInt8](repeating: 0, count: DatabaseHeader.magic.count)
    // A descriptor that cannot be read is none of SQLite's.
    _ = try? bytes.withUnsafeMutableBytes {
      try InputFile.read(descriptor, into: $0, at: 0, path: "descriptor \(descriptor)")
    }
    return bytes == DatabaseHeader.magic
  }
}
