import Collector
import ExhibitSystem
import Foundation

/// `inputs/inputs.json` of a run: what `reporter test` knows of the `swift test` that it started.
struct SwiftTestInvocation: Sendable, Equatable, Codable {
  static let fileName = "inputs.json"

  var format = ArtifactsFormat.current
  /// What came after `swift test`, as the user gave it.
  var arguments: [String]
  /// The exit status; `nil` when a signal ended it.
  var status: Int32?
  /// The signal that ended it.
  var signal: Int32?
  /// The absolute path of the folder that `--attachments-path` named.
  var attachments: String

  /// Writes the file into the folder of the invocation's inputs.
  func write(to folder: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let bytes = try encoder.encode(self) + [UInt8(ascii: "\n")]
    try FileSystem.writeNewFile(folder + "/" + Self.fileName, bytes)
  }
}
