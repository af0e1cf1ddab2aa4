import ExhibitSystem
import Glibc

enum OpenFiles {
  /// The former paths of deleted files, with paths through which to hold them (proc(5)).
  ///
  /// - Parameter likely: Descriptors to try before all others.
  static func deleted(startingWith prefix: String, likely: [Int32]) -> [String: String] {
    let found = deleted(startingWith: prefix, among: likely.map(String.init))
    if !likely.isEmpty, found.count == likely.count { return found }
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
