import Foundation
import Testing

/// A folder of one test, gone with it.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("exhibit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // The system clears its temporary folder, should this fail.
    try? FileManager.default.removeItem(at: url)
  }

  /// Writes a file and gives its path.
  func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }

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
