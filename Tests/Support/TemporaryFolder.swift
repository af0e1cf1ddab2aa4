package import Foundation

/// A folder of its own for one test, removed with the last use of it.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// Makes the folder among the system's temporary files.
  package init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("exhibit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.resolvingSymlinksInPath().path
  }

  deinit {
    // What cannot be removed lies in the temporary folder and harms no test.
    try? FileManager.default.removeItem(atPath: path)
  }

  package var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

  /// The path of what has this name in the folder.
  package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Makes a folder in it and gives its path.
  package func makeFolder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: self(name), withIntermediateDirectories: true)
    return self(name)
  }

  /// Writes a file, making the folders above it, and gives its path.
  @discardableResult package func write(_ text: String, to name: String) throws -> String {
    try write(text.utf8, to: name)
  }

  /// Writes a file, making the folders above it, and gives its path.
  @discardableResult package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    let file = URL(fileURLWithPath: self(name))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }

  /// The text of a file.
  package func read(_ name: String) throws -> String {
    try String(contentsOfFile: self(name), encoding: .utf8)
  }

  /// Everything directly in it, hidden names too, sorted.
  package var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// The paths of all files below, relative and sorted.
  package var files: [String] {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: self(name), isDirectory: &isFolder) && !isFolder.boolValue
    }.sorted()
  }
}
