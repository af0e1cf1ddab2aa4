package import Collector

/// Lists an archive for the page; what cannot be read is a problem the page shows.
package func inspectArchive(at path: String) -> ArchiveListing {
  do {
    return try ArchiveListing(path: path)
  } catch {
    return ArchiveListing(problem: "\(error)")
  }
}
