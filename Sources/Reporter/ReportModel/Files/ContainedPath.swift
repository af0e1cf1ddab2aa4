/// A path as an input gave it, with the folder that it must not leave.
package struct ContainedPath: Sendable, Hashable {
  /// An absolute path.
  package var folder: String
  /// The path relative to `folder`, with slashes; not validated.
  package var path: String
  /// True when the names of files and folders may begin with a dot.
  package var allowsHidden: Bool
  /// The absolute path in the input, if this was made from one.
  package var original: String?

  package init(folder: String, path: String, allowsHidden: Bool = true) {
    self.folder = folder
    self.path = path
    self.allowsHidden = allowsHidden
  }

  /// True when the input named a file outside of the folder, which is replaced by one of the same name.
  package var isFromElsewhere: Bool { original.map { !$0.hasPrefix(folder + "/") } ?? false }
}
