import Foundation

/// The folder that shown paths are relative to.
package struct SourceRoot: Sendable, Equatable {
  package let path: String
  /// False when a run names a folder that is no package.
  package var mayBeRead = true

  package init(path: String) {
    var path = URL(fileURLWithPath: path).standardizedFileURL.path
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    self.path = path
  }

  /// The package folder of a maybe hostile run: it must have a package, or be `reporter`'s current folder.
  package init(ofRun package: String, current: String) {
    self.init(path: package)
    mayBeRead = Self.isPackage(package, current: current)
  }

  private static func isPackage(_ folder: String, current: String) -> Bool {
    guard folder.hasPrefix("/"), let real = realPath(folder), real != "/" else { return false }
    if real == realPath(current) { return true }
    // Existence tells nothing of a file's content.
    return FileManager.default.fileExists(atPath: real + "/Package.swift")
  }

  package func relative(_ file: String) -> String {
    let prefix = path == "/" ? path : path + "/"
    return file.hasPrefix(prefix) && file.count > prefix.count ? String(file.dropFirst(prefix.count)) : file
  }
}

/// Without links, `.` and `..`; `nil` when nothing is there.
package func realPath(_ path: String) -> String? {
  guard !path.isEmpty, !path.utf8.contains(0), let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}
