import Foundation
import Testing

extension TemporaryFolder {
  /// A database made by the `sqlite3` command.
  func database(_ name: String, _ sql: String) throws -> String {
    let path = url.appendingPathComponent(name).path
    let process = Process()
    let input = Pipe()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-batch", "-bail", path]
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(sql.utf8))
    try input.fileHandleForWriting.close()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "sqlite3: \(String(decoding: said, as: UTF8.self))")
    return path
  }
}
