import ExhibitSystem
package import Foundation

/// A process and all that it started, which are ended when they take too long.
package final class ProcessTree: Sendable {
  /// Seconds that no program of a test needs, also not a build on a busy machine.
  package static let limit: TimeInterval = 1200

  private let root: pid_t
  private let isRunning: @Sendable () -> Bool
  private let ended = Locked<[String]?>(nil)

  /// What ran when the limit was reached, a line each; `nil` where it was not.
  package var members: [String]? { ended.withLock { $0 } }

  /// Watches a process that has started, until this object is gone or the process has ended.
  package init(of process: Process, limit: TimeInterval = limit) {
    root = process.processIdentifier
    isRunning = { [weak process] in process?.isRunning == true }
    end(after: limit) { true }
  }

  /// Ends them after so many seconds if they run still, and what is said holds then.
  package func end(after seconds: TimeInterval, if isDue: @escaping @Sendable () -> Bool) {
    // A queue of its own has a thread also where all of the system's wait for programs.
    DispatchQueue(label: "exhibit.limit").asyncAfter(deadline: .now() + seconds) { [weak self] in
      if let self, isRunning(), isDue() { end() }
    }
  }

  private func end() {
    var (known, groups): (Set<pid_t>, Set<pid_t>) = ([root], [])
    let lines = Self.members(of: &known, and: &groups).sorted().map(Self.line)
    ended.withLock { $0 = lines }
    // Again, as one may start another meanwhile.
    for _ in 0..<100 {
      let members = Self.members(of: &known, and: &groups)
      if members.isEmpty { return }
      for member in members { kill(member, SIGKILL) }
      usleep(10_000)
    }
  }

  /// The processes that run and are known, were started by those, or are in a group of theirs; they are known from now on.
  private static func members(of known: inout Set<pid_t>, and groups: inout Set<pid_t>) -> [pid_t] {
    let running = running()
    var count = -1
    while known.count != count {
      count = known.count
      for process in running where known.contains(process.parent) || groups.contains(process.group) {
        known.insert(process.id)
      }
      // A program that is started without a group of its own is in that of the tests.
      groups.formUnion(running.filter { known.contains($0.id) && $0.group != getpgrp() }.map(\.group))
    }
    return running.map(\.id).filter(known.contains)
  }

  /// What a process runs and in which system call it waits.
  private static func line(of process: pid_t) -> String {
    // It may end meanwhile, and then has no such files any more.
    func read(_ name: String) -> String {
      let text = try? String(contentsOfFile: "/proc/\(process)/\(name)", encoding: .utf8)
      return (text ?? "?").replacing("\0", with: " ").trimmingCharacters(in: .whitespacesAndNewlines)
    }
    return
      "\(process) in \(read("wchan")) (\(read("syscall").prefix { $0 != " " })): \(read("cmdline").prefix(300))"
  }

  private static func running() -> [(id: pid_t, parent: pid_t, group: pid_t)] {
    // A process that has ended meanwhile has no folder any more.
    let ids = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
    return ids.compactMap { id in
      // Before the state stands a name in parentheses, which may hold some.
      guard let stat = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
        let fields = stat.split(separator: ")").last?.split(separator: " "), fields.count > 2,
        fields[0] != "Z",
        let parent = pid_t(fields[1]), let group = pid_t(fields[2])
      else { return nil }
      return (id, parent, group)
    }
  }
}
