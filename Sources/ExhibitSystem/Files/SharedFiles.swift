import Glibc

/// Files of evidence that lie on the disk once, however many tests have them.
package struct SharedFiles: Sendable {
  /// Those of late that look alike, so that many of one size, all different, cost no more than few.
  private var paths: [Look: [String]] = [:]
  private static let mostAlike = 8

  /// What is compared before the bytes are.
  private struct Look: Hashable {
    package var bytes: Int
    /// Of the first 64 KiB.
    package var hash: Int
  }

  package init() {}

  /// Makes a file that was captured a link to an earlier one with the same bytes, if there is one.
  ///
  /// - Returns: Whether it is one now. A file system without hard links keeps both.
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
    guard Self.link(earlier, to: link) else { return false }
    guard rename(link, path) == 0 else {
      _ = unlink(link)
      return false
    }
    return true
  }

  /// `nil` for a file that cannot be read.
  private static func look(of path: String, bytes: Int) -> Look? {
    guard let start = try? InputFile(path: path).prefix(64 << 10) else { return nil }
    var hasher = Hasher()
    start.withUnsafeBytes { hasher.combine(bytes: $0) }
    return Look(bytes: bytes, hash: hasher.finalize())
  }

  private static func link(_ path: String, to link: String) -> Bool {
    Glibc.link(path, link) == 0
  }

  /// Whether two files of one size have the same bytes; one that cannot be read is equal to none.
  private static func areEqual(_ one: String, _ other: String) -> Bool {
    guard let files = try? (InputFile(path: one), InputFile(path: other)), files.0.status.bytes > 0,
      files.0.status.bytes == files.1.status.bytes
    else { return false }
    let chunk = 256 << 10
    let buffers = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * chunk, alignment: 4096)
    defer { buffers.deallocate() }
    let left = UnsafeMutableRawBufferPointer(rebasing: buffers[..<chunk])
    let right = UnsafeMutableRawBufferPointer(rebasing: buffers[chunk...])
    for offset in stride(from: 0, to: files.0.status.bytes, by: chunk) {
      guard let count = try? files.0.read(into: left, at: offset), count > 0,
        (try? files.1.read(into: right, at: offset)) == count,
        let (left, right) = left.baseAddress.flatMap({ left in right.baseAddress.map { (left, $0) } }),
        memcmp(left, right, count) == 0
      else { return false }
    }
    return true
  }
}
