import Collector
import ExhibitSystem

/// `round.json`, which `reporter test` writes into a resumed run before its tests start.
package struct InvocationRound: Sendable, Equatable, Codable {
  static let fileName = "round.json"

  var format = ArtifactsFormat.current
  package var round: Int
  package var earlierLogs: [String]

  package init(round: Int, earlierLogs: [String]) {
    (self.round, self.earlierLogs) = (round, earlierLogs)
  }

  package func write(to folder: String) throws {
    try FileSystem.writeNewFile(folder + "/" + Self.fileName, try jsonDocument(self))
  }
}

/// Assigns a run's invocations and logs to its rounds.
struct RunRounds {
  private var invocations: [(folder: String, round: Int, earlier: Set<String>)] = []

  init(_ folders: [String], read: (String) -> InvocationRound?) {
    for folder in folders {
      let told = read(folder)
      // Without the file, it is of round 0 and has all logs.
      invocations.append((folder, max(0, told?.round ?? 0), Set(told?.earlierLogs ?? [])))
    }
  }

  var numbers: [Int] { Set([0] + invocations.map(\.round)).sorted() }

  func folders(of round: Int) -> [String] { invocations.filter { $0.round == round }.map(\.folder) }

  /// The round of the last invocation that began before the log existed.
  func round(ofLog name: String) -> Int {
    if invocations.count < 2 { return 0 }
    return invocations.last { !$0.earlier.contains(name) }?.round ?? 0
  }
}
