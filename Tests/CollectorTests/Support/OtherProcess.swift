import Foundation

/// Another process that has a database open, until it is told to end.
final class OtherProcess {
  private let process = Process()
  private let input = Pipe()

  /// Runs `sql` in the `sqlite3` tool and returns when it has been run.
  init(_ path: String, _ sql: String) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(Data("\(sql)\n.print ready\n".utf8))
    var printed = ""
    while !printed.contains("ready") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      printed += String(decoding: data, as: UTF8.self)
    }
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

/// Leaves a database behind as a process leaves it that is killed after running `sql`.
func crash(_ path: String, _ sql: String) throws {
  let script = """
    import os, sqlite3, sys
    db = sqlite3.connect(sys.argv[1], isolation_level=None)
    for line in sys.argv[2].split(';'): db.execute(line)
    os.kill(os.getpid(), 9)
    """
  let result = try run("python3", "-c", script, path, sql)
  guard result.output.isEmpty else { throw TestConnection.Refused(message: result.output) }
}
