/// A path as an input gave it, and the folder that it must not leave.
package struct ContainedPath: Sendable, Hashable {
  /// An absolute path.
  package var folder: String
  /// Relative to `folder`, with slashes; not validated.
  package var path: String
  /// Whether files and folders may be meant whose names begin with a dot.
  package var allowsHidden: Bool
  /// The absolute path that the input named, where this was made of one.
  package var original: String?

  package init(folder: String, path: String, allowsHidden: Bool = true, original: String? = nil) {
    self.folder = folder
    self.path = path
    self.allowsHidden = allowsHidden
    self.original = original
  }

  /// Whether the input named a file outside the folder, and one of its name is meant.
  package var isFromElsewhere: Bool { original.map { !$0.hasPrefix(folder + "/") } ?? false }
}
