/// A path as an input gave it, and the folder that it must not leave.
struct ContainedPath: Sendable, Hashable {
  /// An absolute path.
  var folder: String
  /// Relative to `folder`, with slashes; not validated.
  var path: String
  /// Whether files and folders may be meant whose names begin with a dot.
  var allowsHidden = true
  /// The absolute path that the input named, where this was made of one.
  var original: String?

  /// Whether the input named a file outside the folder, and one of its name is meant.
  var isFromElsewhere: Bool { original.map { !$0.hasPrefix(folder + "/") } ?? false }
}
