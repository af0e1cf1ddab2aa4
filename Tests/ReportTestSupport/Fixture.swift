import Foundation

@testable import ReportReading

/// What `Tests/Fixtures/record-inputs` recorded.
enum Fixture {
  static let folder = ThisPackage.file("Tests/Fixtures").path

  /// The folder of a recorded `swift test`.
  static func recording(_ name: String) -> String { "\(folder)/Inputs/\(name)" }

  static func file(_ recording: String, _ name: String) throws -> LoadedFile {
    try LoadedFile(name: name, path: "\(Self.recording(recording))/\(name)")
  }

  static func eventStream(_ recording: String) throws -> InputTests {
    EventStreamInput.read(
      try file(recording, "events.jsonl"), attachments: [Self.recording(recording) + "/attachments"])
  }

  static func xunit(_ recording: String, _ name: String) throws -> InputTests {
    XUnitInput.read(try file(recording, name))
  }

  /// An input of the given text, as if it had been read from a file.
  static func text(_ text: String, name: String = "input") -> LoadedFile {
    LoadedFile(name: name, path: "/nowhere/\(name)", bytes: Data(text.utf8))
  }
}

extension ProcessOutput {
  /// The outputs of processes that stopped before their end.
  static func stopped(in output: Data) -> [ProcessOutput] {
    SwiftTestOutput(LoadedFile(name: "output", path: "/nowhere/output", bytes: output)).stopped
  }
}
