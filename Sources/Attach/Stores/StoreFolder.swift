import ExhibitSystem
package import Foundation

/// A store's own folder.
///
/// `remove()` removes it, or this object's end where a test did not destroy its store.
package final class StoreFolder: Sendable {
  /// The absolute path without symbolic links, as SQLite names files.
  package let path: String
  private let isThere = Locked(true)

  /// Makes a folder of its own, mode 0700.
  ///
  /// - Throws: `StoreError`.
  package init(in parent: URL) throws(StoreError) {
    let parentPath = parent.path(percentEncoded: false)
    guard let real = realpath(parentPath, nil) else { throw Self.error("use", parentPath) }
    defer { free(real) }
    var template = Array("\(String(cString: real))/exhibit-store-XXXXXX".utf8CString)
    let isMade = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
    guard isMade else { throw Self.error("make a store in", parentPath) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// A file in the folder.
  package func url(of name: String) -> URL {
    URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent(name, isDirectory: false)
  }

  /// Removes the folder with everything inside.
  ///
  /// - Throws: `StoreError`.
  package func remove() throws(StoreError) {
    guard isThere.withLock({ isThere in exchange(&isThere, false) }) else { return }
    do throws(SystemError) {
      try FileSystem.remove(path)
    } catch {
      throw StoreError(.folder, "\(error) The folder of a test's store is left behind.")
    }
  }

  deinit {
    // Nobody is left to be told; the folder lies among temporary files.
    try? remove()
  }

  private static func error(_ attempt: String, _ path: String) -> StoreError {
    StoreError(.folder, "Could not \(attempt) \(path): \(String(cString: strerror(errno))).")
  }
}

private func exchange(_ value: inout Bool, _ new: Bool) -> Bool {
  defer { value = new }
  return value
}
