import Foundation

/// What a command printed and how it ended.
struct CommandResult {
  var status: Int32
  var output: String
}

/// Runs a command of this machine, found by `PATH`, as another process.
@discardableResult
func run(_ arguments: String..., input: String = "") throws -> CommandResult {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = arguments
  let (output, standardInput) = (Pipe(), Pipe())
  process.standardOutput = output
  process.standardError = output
  process.standardInput = standardInput
  try process.run()
  standardInput.fileHandleForWriting.write(Data(input.utf8))
  try standardInput.fileHandleForWriting.close()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return CommandResult(status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
}
