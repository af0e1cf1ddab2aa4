package import ExhibitSystem

/// The database files that this process has open, through any copy of SQLite.
package enum OpenDatabaseFiles {
  /// Lists them in the order of opening; deleted files have no path and are left out.
  package static func all() -> [(path: String, identity: FileIdentity)] {
    var found: [(path: String, identity: FileIdentity)] = []
    for descriptor in OpenDescriptors.all().sorted() where !OpenDescriptors.isPathOnly(descriptor) {
      guard let status = FileStatus(descriptor: descriptor), status.kind == .regular,
        !found.contains(where: { $0.identity == status.identity }), isDatabase(descriptor),
        let path = OpenDescriptors.path(of: descriptor),
        // A file that cannot be found at its path could not be captured.
        (try? FileStatus(path: path))?.identity == status.identity
      else { continue }
      found.append((path, status.identity))
    }
    return found
  }

  /// True when a descriptor's file begins like a database.
  ///
  /// The descriptor's owner is not disturbed: nothing is opened, closed or moved.
  package static func isDatabase(_ descriptor: Int32) -> Bool {
    let magic = DatabaseHeader.magic
    // SQLite can read its own descriptors, so an unreadable one is not SQLite's.
    return (try? InputFile.bytes(of: descriptor, at: 0, count: magic.count, path: "")) == magic
  }
}
