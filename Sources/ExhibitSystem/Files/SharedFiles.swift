import Glibc

/// Replaces equal files of evidence by hard links.
package struct SharedFiles: Sendable {
  /// A few latest paths for each size and hash.
  private var paths: [Look: [String]] = [:]
  private static let mostAlike = 8

  private struct Look: Hashable {
    var bytes: Int
    /// A hash of the first 64 KiB.
    var hash: Int
  }

  package init() {}

  /// Replaces a file by a link to an earlier equal one.
  ///
  /// - Returns: True when it is a link now.
  @discardableResult
  package mutating func share(_ path: String) -> Bool {
    guard let status = try? FileStatus(path: path, followingLinks: false), status.kind == .regular else {
      return false
    }
    guard let look = Self.look(of: path, bytes: status.bytes) else { return false }
    let earlier = paths[look, default: []].first { Self.areEqual($0, path) }
    guard let earlier else {
      paths[look] = paths[look, default: []].suffix(Self.mostAlike - 1) + [path]
      return false
    }
    let link = path + ".link"
    guard Glibc.link(earlier, link) == 0 else { return false }
    guard rename(link, path) == 0 else {
      _ = unlink(link)
      return false
    }
    return true
  }

  private static func look(of path: String, bytes: Int) -> Look? {
    guard let start = try? InputFile(path: path).prefix(64 << 10) else { return nil }
    var hasher = Hasher()
    start.withUnsafeBytes { hasher.combine(bytes: $0) }
    return Look(bytes: bytes, hash: hasher.finalize())
  }

  /// An unreadable or empty file equals none.
  private static func areEqual(_ one: String, _ other: String) -> Bool {
    guard let files = try? (InputFile(path: one), InputFile(path: other)), files.0.status.bytes > 0,
      files.0.status.bytes == files.1.status.bytes
    else { return false }
    let chunk = 256 << 10
    let buffers = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * chunk, alignment: 4096)
    defer { buffers.deallocate() }
    let left = UnsafeMutableRawBufferPointer(rebasing: buffers[..<chunk])
    let right = UnsafeMutableRawBufferPointer(rebasing: buffers[chunk...])
    let (one, other) = (UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
    for offset in stride(from: 0, to: files.0.status.bytes, by: chunk) {
      guard let count = try? files.0.read(into: left, at: offset), count > 0,
        (try? files.1.read(into: right, at: offset)) == count,
        UnsafeRawBufferPointer(rebasing: one[..<count]).hasSameBytes(as: .init(rebasing: other[..<count]))
      else { return false }
    }
    return true
  }
}
