package import ExhibitSystem
import Glibc

/// Copies a file without copying its bytes, where the file system can.
package enum FileTransfer {
  /// Makes a hard link, a reflink or a copy.
  ///
  /// - Parameter path: Where nothing exists yet.
  package static func bring(_ file: ContainedFile, to path: String) throws(SystemError) {
    // The file's name may be another file's by now.
    if linkat(AT_FDCWD, "/proc/self/fd/\(file.descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 { return }
    guard errno != ENOSPC && errno != EDQUOT else { throw SystemError("link", path) }
    let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw SystemError("create", path) }
    do throws(SystemError) {
      if !clone(file.descriptor, to: target) { try copy(file.descriptor, to: target, path: path) }
    } catch {
      close(target)
      unlink(path)
      throw error
    }
    guard close(target) == 0 else { throw SystemError("write", path) }
  }

  /// `FICLONE`, which is `_IOW(0x94, 9, int)` (ioctl_ficlone(2), linux/fs.h).
  private static func clone(_ source: Int32, to target: Int32) -> Bool {
    ioctl(target, 0x4004_9409, source) == 0
  }

  private static func copy(_ source: Int32, to target: Int32, path: String) throws(SystemError) {
    var offset = 0
    while true {
      let bytes = try InputFile.bytes(of: source, at: offset, count: 1 << 20, path: path)
      if bytes.isEmpty { return }
      try FileSystem.write(bytes, to: target, path: path)
      offset += bytes.count
    }
  }
}
