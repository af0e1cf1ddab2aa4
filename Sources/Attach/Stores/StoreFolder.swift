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
    do throws(SystemError) {
      guard let real = FileSystem.realPath(parentPath) else { throw SystemError("use", parentPath) }
      path = try ScratchFolder.create(real + "/exhibit-store-", in: parentPath, attempt: "make a store in")
    } catch {
      throw StoreError(.folder, error.description)
    }
  }

  /// A file in the folder.
  package func url(of name: String) -> URL {
    URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent(name, isDirectory: false)
  }

  /// Removes the folder with everything inside.
  ///
  /// - Throws: `StoreError`.
  package func remove() throws(StoreError) {
    guard isThere.exchange(false) else { return }
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
}
