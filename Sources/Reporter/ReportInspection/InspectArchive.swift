package import Collector

/// Lists an archive for the page; errors become a shown problem.
package func inspectArchive(at path: String) -> ArchiveListing {
  do {
    return try ArchiveListing(path: path)
  } catch {
    return ArchiveListing(problem: "\(error)")
  }
}
