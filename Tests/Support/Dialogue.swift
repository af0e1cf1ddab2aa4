import ExhibitSystem
import Foundation

/// A program that runs as another process and answers what it is told, line by line.
package final class Dialogue: Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let unread = Locked("")
  private let tree: ProcessTree

  /// The program ended instead of answering.
  package struct Ended: Error {}

  /// Starts a program found by `PATH`, or given by its path.
  ///
  /// - Parameter environment: Variables besides those of this process.
  package init(_ arguments: [String], environment: [String: String] = [:]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    tree = ProcessTree(of: process)
  }

  /// Sends a line.
  package func send(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Waits for a line and gives it without its line break.
  ///
  /// - Throws: `Ended` when there is none any more.
  package func line() throws -> String {
    try unread.withLock { unread in
      while !unread.contains("\n") {
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { throw Ended() }
        unread += String(decoding: data, as: UTF8.self)
      }
      let line = String(unread.prefix { $0 != "\n" })
      unread.removeFirst(line.count + 1)
      return line
    }
  }

  /// Tells it that no more lines come.
  package func closeInput() {
    // Fails only when it is closed already.
    try? input.fileHandleForWriting.close()
  }

  /// Tells it that no more lines come and waits for its end.
  ///
  /// - Returns: The exit status, and what it printed that was not read.
  @discardableResult package func end() throws -> (status: Int32, output: String) {
    closeInput()
    let rest = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, unread.withLock { $0 } + String(decoding: rest, as: UTF8.self))
  }

  /// Ends it with `SIGKILL`.
  package func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
