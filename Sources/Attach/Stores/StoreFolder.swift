import ExhibitSystem
package import Foundation

/// A store's own folder, removed by `remove()` or at the latest by `deinit`.
package final class StoreFolder: Sendable {
  /// Absolute and without symbolic links, as SQLite names files.
  package let path: String
  private let isThere = Locked(true)

  /// Its mode is 0700.
  package init(in parent: URL) throws(StoreError) {
    let parentPath = parent.path(percentEncoded: false)
    do throws(SystemError) {
      guard let real = FileSystem.realPath(parentPath) else { throw SystemError("use", parentPath) }
      path = try ScratchFolder.create(real + "/exhibit-store-", in: parentPath, attempt: "make a store in")
    } catch {
      throw StoreError(.folder, error.description)
    }
  }

  package func url(of name: String) -> URL {
    URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent(name, isDirectory: false)
  }

  package func remove() throws(StoreError) {
    guard isThere.exchange(false) else { return }
    do throws(SystemError) {
      try FileSystem.remove(path)
    } catch {
      throw StoreError(.folder, "\(error) The folder of a test's store is left behind.")
    }
  }

  deinit {
    try? remove()
  }
}
