import Foundation

/// A folder with stores made by the `sqlite3` tool.
final class FixtureFolder: Sendable {
  let url: URL

  init(_ names: [String] = []) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("fixtures-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (index, name) in names.enumerated() {
      try make(
        name, "CREATE TABLE note(id INTEGER PRIMARY KEY, body); INSERT INTO note VALUES (1, 'note \(index)')")
    }
  }

  deinit {
    // What cannot be removed lies in the temporary folder and harms no test.
    try? FileManager.default.removeItem(at: url)
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func make(_ name: String, _ sql: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", path(name), sql]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
  }

  /// Leaves a database as a process does that is killed after `sql`.
  func crash(_ name: String, _ sql: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import os, sqlite3, sys\ndb = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        + "for line in sys.argv[2].split(';'): db.execute(line)\nos._exit(0)", path(name), sql,
    ]
    try process.run()
    process.waitUntilExit()
  }

  /// Every file with its bytes.
  var contents: [String: Data] {
    get throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
      return try Dictionary(
        uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: path($0)))) })
    }
  }
}
