import Foundation

/// A folder of its own for one test, removed at the test's end.
final class TemporaryFolder {
  let url: URL

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("exhibit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    self.url = url.resolvingSymlinksInPath()
  }

  deinit {
    // The system clears its temporary folder, should this fail.
    try? FileManager.default.removeItem(at: url)
  }

  var path: String { url.path }

  /// Writes a file, making the folders above it, and gives its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try write(text.utf8, to: name)
  }

  @discardableResult
  func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }

  func read(_ name: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }

  /// The paths of all files below, relative and sorted.
  var files: [String] {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }
}
