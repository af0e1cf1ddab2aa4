import Foundation

/// A file system of 2 MB in memory.
struct SmallDisk {
  let path: String

  static let isAvailable: Bool = {
    guard let folder = try? TemporaryFolder(), let disk = try? SmallDisk(at: folder.path) else {
      return false
    }
    disk.unmount()
    return true
  }()

  init(at path: String) throws {
    self.path = path
    guard try run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", path).status == 0 else {
      throw CocoaError(.fileWriteNoPermission)
    }
  }

  func unmount() {
    _ = try? run("umount", path)
  }
}
