import Collector
import ExhibitSystem

/// Whether a test may run again with changed statements: all its databases are its own, and nobody else uses them.
struct ExperimentSafety {
  /// Folders whose databases are only a test's.
  private let temporary: [String]
  /// Such folders also where the package lies in a temporary one.
  private let own: [String]
  private let package: String

  /// - Parameter artifacts: The absolute path of the artifacts folder.
  init(packageFolder: String, artifacts: String, scratch: String, environment: [String: String]) {
    let own = [packageFolder + "/.build", artifacts, scratch].map(Self.resolved)
    let given = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? Self.resolved($0) : nil }
    // A folder that holds all there is, or the user's own, is no temporary one.
    let isNone = ["", "/", environment["HOME"].map(Self.resolved)].contains(given)
    temporary =
      ["/tmp", "/var/tmp", "/dev/shm"].map(Self.resolved) + (isNone ? [] : [given].compactMap(\.self))
    (self.own, package) = (own, Self.resolved(packageFolder))
  }

  /// The sentence that says why a database file stands in the way; `nil` for one that does not.
  func refusal(ofFile path: String) -> String? {
    let place = Self.resolved(path)
    func lies(in folders: [String]) -> Bool { folders.contains { place.hasPrefix($0 + "/") } }
    guard lies(in: own) || lies(in: temporary) && !lies(in: [package]) else {
      return "\(path) lies outside of temporary folders, and an experiment could change it. "
        + "--explain-anywhere allows it."
    }
    guard FileSystem.status(place) != nil, let process = process(havingOpen: place) else { return nil }
    return "\(path) is open in another process (\(process)), which an experiment could disturb."
  }

  /// The path without links, as far as it is there.
  private static func resolved(_ path: String) -> String {
    var (found, rest) = (path, "")
    while true {
      // What cannot be resolved is looked for one folder higher.
      if let real = try? FileSystem.resolved(found) ?? nil { return real == "/" ? rest : real + rest }
      guard let parent = FileSystem.parentFolder(of: found) else { return path }
      rest = String(found.dropFirst(parent == "/" ? 0 : parent.utf8.count)) + rest
      found = parent
    }
  }
}
