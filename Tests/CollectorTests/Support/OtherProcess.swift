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
