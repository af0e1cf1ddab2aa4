import Foundation

/// The folder that shown paths are relative to, so that they lead to the sources wherever the report is read.
package struct SourceRoot: Sendable, Equatable {
  /// The absolute path without a slash at its end.
  package let path: String
  /// True when files below it may be shown; false where a run names a folder that is no package.
  package var mayBeRead = true

  package init(path: String) {
    var path = URL(fileURLWithPath: path).standardizedFileURL.path
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    self.path = path
  }

  /// The package folder that a run names, which may be anything.
  ///
  /// Files are read only if it has a package, or if `reporter` was started in it.
  ///
  /// - Parameter current: The absolute path of the folder in which `reporter` was started.
  package init(ofRun package: String, current: String) {
    self.init(path: package)
    mayBeRead = Self.isPackage(package, current: current)
  }

  private static func isPackage(_ folder: String, current: String) -> Bool {
    guard folder.hasPrefix("/"), let real = realPath(folder), real != "/" else { return false }
    if real == realPath(current) { return true }
    // The name tells nothing of a file's content, so links to one do no harm.
    return FileManager.default.fileExists(atPath: real + "/Package.swift")
  }

  /// The path below the root, or the unchanged path of a file elsewhere.
  package func relative(_ file: String) -> String {
    let prefix = path == "/" ? path : path + "/"
    return file.hasPrefix(prefix) && file.count > prefix.count ? String(file.dropFirst(prefix.count)) : file
  }
}

/// The path without links, `.` and `..`; `nil` where nothing exists.
package func realPath(_ path: String) -> String? {
  guard !path.isEmpty, !path.utf8.contains(0), let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}
