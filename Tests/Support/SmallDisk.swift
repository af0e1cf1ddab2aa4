import Foundation

/// A file system in memory that is soon full, and can be made read-only; needs the right to mount.
package struct SmallDisk {
  package let path: String

  /// Whether this process may mount one.
  package static let isAvailable: Bool = {
    guard let folder = try? TemporaryFolder(), let disk = try? SmallDisk(at: folder.path) else {
      return false
    }
    disk.unmount()
    return true
  }()

  /// Mounts it at a folder.
  package init(at path: String, kilobytes: Int = 2048) throws {
    self.path = path
    try Self.call("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path)
  }

  package func makeReadOnly() throws { try Self.call("mount", "-o", "remount,ro", path) }

  package func resize(kilobytes: Int) throws {
    try Self.call("mount", "-o", "remount,size=\(kilobytes)k", path)
  }

  package func unmount() {
    // What is left is unmounted when the machine goes down.
    try? Self.call("umount", path)
  }

  private static func call(_ arguments: String...) throws {
    guard try Command(arguments).run().status == 0 else { throw CocoaError(.fileWriteNoPermission) }
  }
}
