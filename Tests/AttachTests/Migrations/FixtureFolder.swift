import Foundation

/// A folder with stores made by the `sqlite3` tool.
final class FixtureFolder: Sendable {
  private let folder: TemporaryFolder
  var url: URL { folder.url }

  init(_ names: [String] = []) throws {
    folder = try TemporaryFolder()
    for (index, name) in names.enumerated() {
      try make(
        name, "CREATE TABLE note(id INTEGER PRIMARY KEY, body); INSERT INTO note VALUES (1, 'note \(index)')")
    }
  }

  func path(_ name: String) -> String { folder(name) }

  func make(_ name: String, _ sql: String) throws {
    try folder.database(name, sql)
  }

  /// Leaves a database as a process does that is killed after `sql`.
  func crash(_ name: String, _ sql: String) throws {
    try TestSupport.crash(path(name), sql)
  }

  /// Every file with its bytes.
  var contents: [String: Data] {
    get throws {
      try Dictionary(
        uniqueKeysWithValues: folder.names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: path($0)))) })
    }
  }
}
