import Collector
import ExhibitSystem

/// Tells whether a test may run with a change: only it may use its databases.
struct ExperimentSafety {
  /// Folders whose databases are only a test's.
  private let temporary: [String]
  /// Such folders even where the package lies in a temporary one.
  private let own: [String]
  private let package: String

  init(
    packageFolder: String, artifacts: String, scratch: String, environment: [String: String]
  ) throws(SystemError) {
    (own, temporary, package) = (
      try Self.resolved([packageFolder + "/.build", artifacts, scratch]),
      try Self.resolved(["/tmp", "/var/tmp", "/dev/shm"]) + Self.temporary(environment),
      try Self.resolved(packageFolder)
    )
  }

  /// `$TMPDIR`, unless it is the home folder or the root.
  private static func temporary(_ environment: [String: String]) throws(SystemError) -> [String] {
    guard let named = environment["TMPDIR"], named.hasPrefix("/") else { return [] }
    let folder = try resolved(named)
    let home = try environment["HOME"].map(resolved)
    return folder.isEmpty || folder == home ? [] : [folder]
  }

  /// Says why a database file forbids experiments, if it does.
  func refusal(ofFile path: String) -> String? {
    do throws(SystemError) {
      return try refusal(of: path, at: Self.resolved(path))
    } catch {
      return "\(path) cannot be looked at (\(error)), and an experiment could change it."
    }
  }

  private func refusal(of path: String, at place: String) throws(SystemError) -> String? {
    func lies(in folders: [String]) -> Bool { folders.contains { place.hasPrefix($0 + "/") } }
    guard lies(in: own) || lies(in: temporary) && !lies(in: [package]) else {
      return "\(path) lies outside of temporary folders, and an experiment could change it. "
        + "--explain-anywhere allows it."
    }
    guard let process = try process(havingOpen: place) else { return nil }
    return "\(path) is open in another process (\(process)), which an experiment could disturb."
  }

  private static func resolved(_ paths: [String]) throws(SystemError) -> [String] {
    var found: [String] = []
    for path in paths { found.append(try resolved(path)) }
    return found
  }

  /// The path without links, as far as it exists; empty for the root.
  private static func resolved(_ path: String) throws(SystemError) -> String {
    var (found, rest) = (path, "")
    while true {
      if let real = try FileSystem.resolved(found) { return real == "/" ? rest : real + rest }
      guard let parent = FileSystem.parentFolder(of: found) else { return path }
      rest = String(found.dropFirst(parent == "/" ? 0 : parent.utf8.count)) + rest
      found = parent
    }
  }
}
