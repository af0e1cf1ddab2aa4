import Foundation

/// The folder that shown paths are relative to: they lead to the sources, wherever the report is read.
package struct SourceRoot: Sendable, Equatable {
  /// Absolute, without a slash at its end.
  package let path: String
  /// Whether files below it may be shown; not where a run names a folder that is no package.
  package var mayBeRead = true

  package init(path: String) {
    var path = URL(fileURLWithPath: path).standardizedFileURL.path
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    self.path = path
  }

  /// The package folder that a run names, which may be anything: read is only one that holds a package, or that
  /// `reporter` was started in.
  ///
  /// - Parameter current: The absolute path of the folder in which `reporter` was started.
  package init(ofRun package: String, current: String) {
    self.init(path: package)
    mayBeRead = Self.isPackage(package, current: current)
  }

  private static func isPackage(_ folder: String, current: String) -> Bool {
    guard folder.hasPrefix("/"), let real = realPath(folder), real != "/" else { return false }
    if real == realPath(current) { return true }
    // Its name tells nothing of what is in a file, so links to one do no harm.
    return FileManager.default.fileExists(atPath: real + "/Package.swift")
  }

  /// The path below the root, or the path itself where it lies elsewhere.
  package func relative(_ file: String) -> String {
    let prefix = path == "/" ? path : path + "/"
    return file.hasPrefix(prefix) && file.count > prefix.count ? String(file.dropFirst(prefix.count)) : file
  }
}

/// A path without links, `.` and `..`; `nil` where nothing lies.
package func realPath(_ path: String) -> String? {
  guard !path.isEmpty, !path.utf8.contains(0), let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}
