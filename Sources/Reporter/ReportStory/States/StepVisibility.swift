import Collector

/// Whose eyes a state is seen with.
enum StateView: Sendable, Hashable {
  /// As it was captured.
  case captured
  /// After a step, as the connection sees it that ran the step: with its own open transaction, and with what other
  /// connections had committed by then.
  ///
  /// A read transaction that is older than such a commit sees less; that is not told apart. Step 0, or one between two
  /// numbers, is nobody's: what was committed by then.
  case after(step: Int)
}

/// From when to when what a step changed can be seen, and by whom.
package struct StepVisibility: Sendable {
  /// Numbers of steps, `max` for never.
  package struct Span: Sendable, Equatable {
    package var connection: Int
    package var born: Int
    package var committed: Int
    package var taken: Int
  }

  /// By place of a step.
  package let spans: [Span]
  /// The number of the last step before the failure, at which the databases were captured.
  package let captured: Int
  /// True when the captured file shows transactions that were open then.
  package internal(set) var showsOpen = false
  private let connections: [Int: Int]

  /// - Parameters:
  ///   - spans: By place of a step.
  ///   - captured: The number of the last step before the failure.
  ///   - connections: By numbers of steps.
  init(spans: [Span], captured: Int, connections: [Int: Int]) {
    (self.spans, self.captured, self.connections) = (spans, captured, connections)
  }

  /// True when the story has that step.
  func hasStep(_ number: Int) -> Bool { connections[number] != nil }

  /// True when the view shows the changes of a step.
  func isVisible(_ place: Int, to view: StateView) -> Bool {
    let span = spans[place]
    switch view {
    case .captured:
      if span.committed <= captured, span.committed < .max { return true }
      return showsOpen && span.born <= captured && (span.taken > captured || span.taken == .max)
    case .after(let step):
      if span.committed <= step { return true }
      return connections[step] == span.connection && span.born <= step && step < span.taken
    }
  }
}
