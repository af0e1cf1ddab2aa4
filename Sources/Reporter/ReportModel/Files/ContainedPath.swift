/// A path from an input, and the folder that it must not leave.
package struct ContainedPath: Sendable, Hashable {
  package var folder: String
  /// Relative to `folder`, not validated.
  package var path: String
  package var allowsHidden: Bool
  package var original: String?

  package init(folder: String, path: String, allowsHidden: Bool = true) {
    self.folder = folder
    self.path = path
    self.allowsHidden = allowsHidden
  }

  /// True when the input named a file elsewhere; this one has its name.
  package var isFromElsewhere: Bool { original.map { !$0.hasPrefix(folder + "/") } ?? false }
}
