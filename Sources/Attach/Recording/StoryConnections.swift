import Collector
import ExhibitSystem

/// The connections whose statements are in a test's story, whoever runs them.
struct StoryConnections: Sendable {
  /// Numbers of those that nobody but the test uses, ascending.
  private(set) var own: [Int] = []
  /// Numbers of those that it shares.
  private(set) var shared: [Int] = []
  /// The ring's position where the test's steps begin.
  private(set) var start: UInt64

  /// - Parameters:
  ///   - connections: The connections that may be the test's.
  ///   - isAlone: True when no other test runs.
  init(of scope: TestScope, among connections: [AppConnection], isAlone: Bool) {
    start = scope.tracePosition
    for connection in connections {
      if connection.ownership().isOwned(by: scope.owner, isAlone: isAlone) {
        own.append(connection.number)
        // Steps of a trait around the test come before the test's position.
        if case .named = connection.opener { start = 0 }
      } else if connection.isUsed(by: scope.serial) {
        shared.append(connection.number)
      }
    }
    // Adds connections that are closed by now, and some that are there already.
    own += scope.state.withLock { $0.opened.map(\.connection) }
    own.sort()
    var last = 0
    own.removeAll { number in
      defer { last = number }
      return number == last
    }
  }
}
