/// The hidden folder beside a store in which its copy is migrated; removed in `deinit`.
final class MigrationFolder {
  private let path: String
  /// The copy, named as the store is.
  let copy: String

  /// Removes what processes that died left: the caller holds the store's lock, so no other migration runs.
  init(beside store: String) throws(StoreMigrationError) {
    let (folder, name) = Files.split(store)
    for leftover in try Self.leftovers(folder, name) { try Files.removeFolder(folder + "/" + leftover) }
    path = try Files.makeFolder("\(folder)/.\(name).migration-XXXXXX")
    copy = path + "/" + name
  }

  deinit {
    // What stays is found and removed by the next run.
    try? Files.removeFolder(path)
  }

  /// Removes what processes that died left, unless somebody works on the store.
  static func removeLeftovers(beside store: String) throws(StoreMigrationError) {
    let (folder, name) = Files.split(store)
    let found = try leftovers(folder, name)
    guard !found.isEmpty else { return }
    do throws(StoreMigrationError) {
      let connection = try Connection(store)
      // A migration would hold the exclusive lock of the file at this path.
      try connection.execute("BEGIN IMMEDIATE")
      guard try !connection.hasMoved() else { return }
      for leftover in found { try Files.removeFolder(folder + "/" + leftover) }
    } catch {
      guard error.isBusy else { throw error }
    }
  }

  private static func leftovers(_ folder: String, _ name: String) throws(StoreMigrationError) -> [String] {
    // By bytes: names that differ only in their composition are those of two files.
    let prefix = ".\(name).migration-"
    return try Files.names(in: folder).filter { $0.utf8.starts(with: prefix.utf8) }
  }
}
