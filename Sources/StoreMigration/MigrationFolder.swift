import ExhibitSQLite
import ExhibitSystem

/// The hidden folder beside a store that holds the copy; `deinit` removes it.
final class MigrationFolder {
  private let folder: ScratchFolder
  let copy: String

  /// Creates the folder and removes those of processes that died.
  ///
  /// The caller holds the store's exclusive lock.
  init(beside store: String) throws {
    let (parent, name) = Self.split(store)
    for leftover in try Self.leftovers(parent, name) { try FileSystem.remove(leftover) }
    folder = try ScratchFolder(in: parent, prefix: Self.prefix(name))
    copy = folder.path + "/" + name
  }

  /// Removes the folders of processes that died, unless a migration is running.
  static func removeLeftovers(beside store: String) throws {
    let (parent, name) = split(store)
    let found = try leftovers(parent, name)
    guard !found.isEmpty else { return }
    do {
      let connection = try SQLiteHandle.open(store: store)
      // A running migration holds the exclusive lock.
      try connection.execute("BEGIN IMMEDIATE")
      guard try !connection.hasMoved() else { return }
      try withExtendedLifetime(connection) { for leftover in found { try FileSystem.remove(leftover) } }
    } catch let error as SQLiteError where error.isBusy {
    }
  }

  private static func leftovers(_ parent: String, _ name: String) throws -> [String] {
    // Bytes: names that differ only in Unicode normalisation are different files.
    try FileSystem.entries(of: parent).filter { $0.utf8.starts(with: prefix(name).utf8) }.map {
      parent + "/" + $0
    }
  }

  private static func prefix(_ name: String) -> String { ".\(name).migration-" }

  private static func split(_ path: String) -> (folder: String, name: String) {
    // Bytes: a slash before a combining character is another `Character`.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    return (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
  }
}
