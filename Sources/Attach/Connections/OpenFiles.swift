import ExhibitSystem
import Glibc

/// Finds files that this process has open although they were deleted.
enum OpenFiles {
  /// Maps the former path of each deleted file to a path through which it can be held.
  ///
  /// Source: proc(5): the link of a deleted file ends with ` (deleted)`.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of the former paths.
  ///   - likely: The descriptors to try first. If one of them is no such file, all descriptors of the process are
  ///     searched, of which there may be thousands.
  static func deleted(startingWith prefix: String, likely: [Int32]) -> [String: String] {
    let found = deleted(startingWith: prefix, among: likely.map(String.init))
    if !likely.isEmpty, found.count == likely.count { return found }
    // Without /proc there is nothing to find.
    return deleted(startingWith: prefix, among: (try? FileSystem.entries(of: "/proc/self/fd")) ?? [])
  }

  private static func deleted(startingWith prefix: String, among descriptors: [String]) -> [String: String] {
    var found: [String: String] = [:]
    for name in descriptors {
      let link = "/proc/self/fd/" + name
      guard let target = target(of: link), target.hasSuffix(suffix), target.hasPrefix(prefix) else {
        continue
      }
      found[String(target.dropLast(suffix.count))] = link
    }
    return found
  }

  private static let suffix = " (deleted)"

  private static func target(of link: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(link, start, buffer.count)
      guard count >= 0 else { return nil }
      return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
