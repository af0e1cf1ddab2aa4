import Glibc

/// Keeps equal files of evidence on the disk once, however many tests have them.
package struct SharedFiles: Sendable {
  /// The latest files of each size and hash; few of them, so that many different ones of one size stay cheap.
  private var paths: [Look: [String]] = [:]
  private static let mostAlike = 8

  /// The properties that are compared before the bytes.
  private struct Look: Hashable {
    var bytes: Int
    /// The hash of the first 64 KiB.
    var hash: Int
  }

  package init() {}

  /// Replaces a captured file with a link to an earlier one with the same bytes, if there is one.
  ///
  /// - Returns: True when it is a link now. On a file system without hard links both files stay.
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

  /// `nil` for a file that cannot be read.
  private static func look(of path: String, bytes: Int) -> Look? {
    guard let start = try? InputFile(path: path).prefix(64 << 10) else { return nil }
    var hasher = Hasher()
    start.withUnsafeBytes { hasher.combine(bytes: $0) }
    return Look(bytes: bytes, hash: hasher.finalize())
  }

  /// True when two files have the same size and bytes; an unreadable or empty file equals none.
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
