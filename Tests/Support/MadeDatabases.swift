import Foundation

/// Another process that has a database open, until it is told to end.
package final class OtherProcess {
  private let tool: Dialogue

  /// Runs `sql` in the `sqlite3` tool and returns when it has been run.
  package init(_ path: String, _ sql: String) throws {
    tool = try Dialogue(["sqlite3", path])
    try tool.send("\(sql)\n.print ready")
    while try !tool.line().contains("ready") {}
  }

  package func end() {
    // What it prints at its end says nothing of the test.
    _ = try? tool.end()
  }
}

/// Leaves a database behind as a process leaves it that is killed after running `sql`.
package func crash(_ path: String, _ sql: String) throws {
  let script = """
    import os, sqlite3, sys
    db = sqlite3.connect(sys.argv[1], isolation_level=None)
    for line in sys.argv[2].split(';'): db.execute(line)
    os.kill(os.getpid(), 9)
    """
  let result = try run("python3", "-c", script, path, sql)
  guard result.output.isEmpty else { throw TestConnection.Refused(message: result.output) }
}

extension TemporaryFolder {
  /// Makes a database with the `sqlite3` tool, or changes it, and gives its path.
  @discardableResult package func database(_ name: String, _ sql: String) throws -> String {
    let result = try run("sqlite3", "-batch", "-bail", self(name), input: sql)
    guard result.status == 0 else { throw TestConnection.Refused(message: "sqlite3: \(result.output)") }
    return self(name)
  }
}
