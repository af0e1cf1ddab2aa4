import Foundation

/// A file system in memory, of 1 MB, that can be made read-only; needs the right to mount.
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
    try Self.run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path)
  }

  func makeReadOnly() throws { try Self.run("mount", "-o", "remount,ro", path) }

  func unmount() {
    // What is left is unmounted when the machine goes down.
    try? Self.run("umount", path)
  }

  private static func run(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteNoPermission) }
  }
}
