import Collector
import ExhibitSystem

/// `inputs/inputs.json`: the `swift test` that `reporter test` started.
package struct SwiftTestInvocation: Sendable, Equatable, Codable {
  static let fileName = "inputs.json"

  var format = ArtifactsFormat.current
  package var arguments: [String]
  /// `nil` after a signal.
  package var status: Int32?
  package var signal: Int32?
  package var attachments: String

  package init(arguments: [String], attachments: String) {
    (self.arguments, self.attachments) = (arguments, attachments)
  }

  package func write(to folder: String) throws {
    try FileSystem.writeNewFile(folder + "/" + Self.fileName, try jsonDocument(self))
  }
}
