import Foundation

/// The folder that shown paths are relative to: they lead to the sources, wherever the report is read.
struct SourceRoot: Sendable, Equatable {
  /// Absolute, without a slash at its end.
  let path: String

  init(path: String) {
    var path = URL(fileURLWithPath: path).standardizedFileURL.path
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    self.path = path
  }

  /// The path below the root, or the path itself where it lies elsewhere.
  func relative(_ file: String) -> String {
    let prefix = path == "/" ? path : path + "/"
    return file.hasPrefix(prefix) && file.count > prefix.count ? String(file.dropFirst(prefix.count)) : file
  }

  func relative(_ reference: SourceReference) -> SourceReference {
    SourceReference(file: relative(reference.file), line: reference.line)
  }
}
