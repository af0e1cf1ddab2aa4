package import ExhibitSystem

/// The database files that this process has open, through any copy of SQLite.
package enum OpenDatabaseFiles {
  /// Lists the files in the order of their descriptors, without deleted ones.
  package static func all() -> [(path: String, identity: FileIdentity)] {
    var found: [(path: String, identity: FileIdentity)] = []
    for descriptor in OpenDescriptors.all().sorted() where !OpenDescriptors.isPathOnly(descriptor) {
      guard let status = FileStatus(descriptor: descriptor), status.kind == .regular,
        !found.contains(where: { $0.identity == status.identity }), isDatabase(descriptor),
        let path = OpenDescriptors.path(of: descriptor),
        (try? FileStatus(path: path))?.identity == status.identity
      else { continue }
      found.append((path, status.identity))
    }
    return found
  }

  /// True when a descriptor's file begins like a database.
  package static func isDatabase(_ descriptor: Int32) -> Bool {
    let magic = DatabaseHeader.magic
    return (try? InputFile.bytes(of: descriptor, at: 0, count: magic.count, path: "")) == magic
  }
}
