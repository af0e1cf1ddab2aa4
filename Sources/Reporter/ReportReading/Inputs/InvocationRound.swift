import Collector
import ExhibitSystem

/// `round.json` of an invocation that went on in a run, written before its tests start.
package struct InvocationRound: Sendable, Equatable, Codable {
  /// The name of the file in the invocation's inputs.
  static let fileName = "round.json"

  var format = ArtifactsFormat.current
  /// 0 for tests of the run itself, from 1 for failed tests that run again.
  package var round: Int
  /// The names of the logs that earlier invocations left, sorted.
  package var earlierLogs: [String]

  package init(round: Int, earlierLogs: [String]) {
    (self.round, self.earlierLogs) = (round, earlierLogs)
  }

  /// Writes the file into the folder of the invocation's inputs.
  package func write(to folder: String) throws {
    try FileSystem.writeNewFile(folder + "/" + Self.fileName, try jsonDocument(self))
  }
}

/// The rounds of a run: which invocations and which logs belong to which.
struct RunRounds {
  private var invocations: [(folder: String, round: Int, earlier: Set<String>)] = []

  /// - Parameters:
  ///   - folders: The folders of the invocations' inputs, in the order in which they were made.
  ///   - read: Reads the file of an invocation; `nil` where it has none.
  init(_ folders: [String], read: (String) -> InvocationRound?) {
    for folder in folders {
      let told = read(folder)
      // Without the file, an invocation belongs to the run itself, and no log is known to be another's.
      invocations.append((folder, max(0, told?.round ?? 0), Set(told?.earlierLogs ?? [])))
    }
  }

  /// All that there are, 0 first.
  var numbers: [Int] { Set([0] + invocations.map(\.round)).sorted() }

  /// The folders of one round's inputs.
  func folders(of round: Int) -> [String] { invocations.filter { $0.round == round }.map(\.folder) }

  /// The round of a log: that of the last invocation before which it was not there.
  func round(ofLog name: String) -> Int {
    if invocations.count < 2 { return 0 }
    return invocations.last { !$0.earlier.contains(name) }?.round ?? 0
  }
}
