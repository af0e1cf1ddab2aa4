import Collector

/// Whose eyes a state is seen with.
enum StateView: Sendable, Hashable {
  case captured
  /// As the step's connection sees it: with its open transaction, and what others had committed by then.
  ///
  /// A read transaction may see less. Step 0, or one between two numbers, is nobody's.
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

  package let spans: [Span]
  /// The last step before the failure, when databases were captured.
  package let captured: Int
  /// True when the captured file shows open transactions.
  package internal(set) var showsOpen = false
  private let connections: [Int: Int]

  /// - Parameters:
  ///   - spans: By place of a step.
  ///   - connections: By number of a step.
  init(spans: [Span], captured: Int, connections: [Int: Int]) {
    (self.spans, self.captured, self.connections) = (spans, captured, connections)
  }

  func hasStep(_ number: Int) -> Bool { connections[number] != nil }

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
