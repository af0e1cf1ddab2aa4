import Foundation
import Testing

/// A process that captures a database on request: Tests/Fixtures/CaptureProcess.
final class CaptureProcess {
  private let process: Dialogue

  /// What one capture answered.
  struct Answer {
    /// How many calls of the kind that was asked for there were.
    var calls: Int
    var milliseconds: Int
    /// How many descriptors the capture left open.
    var descriptors: Int
    /// Files and folders that it says it has made.
    var files: [String]
    var failures: [String]
  }

  /// - Parameters:
  ///   - statements: what the connection runs that the process keeps open; without any, it has none.
  ///   - library: what is preloaded.
  ///   - change: what the library does to a file when it is asked for a change.
  ///   - program: what runs the process instead, with its path and arguments as further arguments.
  init(
    _ path: String, into folder: String, _ statements: String? = nil, preloading library: String? = nil,
    change: [String: String] = [:], through program: [String] = []
  ) throws {
    let arguments =
      program + [try ThisPackage.program("CaptureProcess"), path, folder] + (statements.map { [$0] } ?? [])
    let variables = library.map { change.merging(["LD_PRELOAD": $0]) { $1 } } ?? [:]
    process = try Dialogue(arguments, environment: variables)
  }

  /// Captures once; the `number`-th call of `kind` fails, or with 0 none.
  func capture(_ name: String, _ kind: String? = nil, at number: Int = 0, stays: Bool = false) throws
    -> Answer
  {
    try request(name, kind, at: number, stays: stays)
    return try answer()
  }

  /// Archives a directory, in which a file changes before the `number`-th call of `kind`.
  func archive(_ name: String, changingBefore kind: String, _ number: Int) throws -> Answer {
    try process.send("\(name) \(kind) \(number) change")
    return try answer()
  }

  /// Asks for a capture and does not wait for it.
  func request(_ name: String, _ kind: String? = nil, at number: Int = 0, stays: Bool = false) throws {
    let fault = kind.map { " \($0) \(number) \(stays ? "good" : "once")" } ?? ""
    try process.send(name + fault)
  }

  private func answer() throws -> Answer {
    let line = try process.line()
    let fields = line.components(separatedBy: " ; ")
    let lists = fields.suffix(2).map { $0.split(separator: ",").map(String.init) }
    return Answer(
      calls: Int(fields[0]) ?? 0, milliseconds: Int(fields[1]) ?? 0, descriptors: Int(fields[2]) ?? 0,
      files: lists[0], failures: lists[1])
  }

  func kill() {
    process.kill()
  }

  /// Lets the connection commit and waits for the end; returns the exit status.
  func end() throws -> Int32 {
    try process.end().status
  }
}
