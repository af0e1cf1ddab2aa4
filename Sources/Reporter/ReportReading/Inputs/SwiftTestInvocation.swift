import Collector
import ExhibitSystem

/// `inputs/inputs.json` of a run: the `swift test` that `reporter test` started.
package struct SwiftTestInvocation: Sendable, Equatable, Codable {
  static let fileName = "inputs.json"

  var format = ArtifactsFormat.current
  /// The arguments of `swift test`, as the user gave them.
  package var arguments: [String]
  /// The exit status; `nil` when a signal ended it.
  package var status: Int32?
  /// The signal that ended it.
  package var signal: Int32?
  /// The absolute path of the folder for `--attachments-path`.
  package var attachments: String

  package init(arguments: [String], attachments: String) {
    (self.arguments, self.attachments) = (arguments, attachments)
  }

  /// Writes the file into the folder of the invocation's inputs.
  package func write(to folder: String) throws {
    try FileSystem.writeNewFile(folder + "/" + Self.fileName, try jsonDocument(self))
  }
}
