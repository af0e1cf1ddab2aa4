import Collector

/// The contents of a captured directory's archive.
package struct ArchiveInspection: Sendable, Equatable {
  package var entries: [Entry]
  /// How many more there are than `entries` holds.
  package var omitted: Int
  package var problems: [String]

  package struct Entry: Sendable, Equatable {
    package enum Kind: String, Sendable {
      case file, directory, link, other
    }

    package var path: String
    package var kind: Kind
    package var bytes: Int
    /// Where a link points.
    package var target: String?
  }
}

/// Lists an archive for the page; what cannot be read is a problem the page shows.
package func inspectArchive(at path: String) -> ArchiveInspection {
  do {
    return ArchiveInspection(try ArchiveListing(path: path))
  } catch {
    return ArchiveInspection(entries: [], omitted: 0, problems: ["\(error)"])
  }
}

extension ArchiveInspection {
  fileprivate init(_ listing: ArchiveListing) {
    self.init(
      entries: listing.entries.map(Entry.init), omitted: listing.omitted, problems: listing.problems)
  }
}

extension ArchiveInspection.Entry {
  fileprivate init(_ entry: ArchiveListing.Entry) {
    let kind: Kind =
      switch entry.kind {
      case .file: .file
      case .directory: .directory
      case .link: .link
      case .other: .other
      }
    self.init(path: entry.path, kind: kind, bytes: entry.bytes, target: entry.target)
  }
}
