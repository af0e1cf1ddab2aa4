import Collector
import ExhibitSystem

struct StoryConnections: Sendable {
  private(set) var own: [Int] = []
  private(set) var shared: [Int] = []
  private(set) var start: UInt64

  init(of scope: TestScope, among connections: [AppConnection], isAlone: Bool) {
    start = scope.tracePosition
    for connection in connections {
      if connection.ownership().isOwned(by: scope.owner, isAlone: isAlone) {
        own.append(connection.number)
        // The steps of a trait around the test come before its own.
        if case .named = connection.opener { start = 0 }
      } else if connection.isUsed(by: scope.serial) {
        shared.append(connection.number)
      }
    }
    own += scope.state.withLock { $0.opened.map(\.connection) }
    own.sort()
    var last = 0
    own.removeAll { number in
      defer { last = number }
      return number == last
    }
  }
}
