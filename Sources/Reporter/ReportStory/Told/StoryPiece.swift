import Collector

/// What a story tells in its order: groups of steps, or the steps of one group.
package typealias StoryItem = StoryPiece<StoryGroup>
package typealias StoryEntry = StoryPiece<StoryStep>

/// One thing in a story.
///
/// Indirect, as a step is large: a debug build copies all of an entry for each look at it.
package indirect enum StoryPiece<Content: StoryContent>: StepSource, Sendable, Equatable {
  case one(Content)
  /// The same again and again.
  case repeated(Repeated<Content>)
  case issue(Int)

  /// The first time, with what all times made of rows.
  package struct Run {
    package var content: Content
    package var times = 1
    fileprivate var totals: (rows: Int, changed: Int)?

    package var rows: Int? { totals?.rows ?? content.rows }
    package var changed: Int? { totals?.changed ?? content.changed }
  }

  package var runs: [Run] {
    switch self {
    case .one(let content): [Run(content: content)]
    case .repeated(let repeated):
      repeated.first.enumerated().map { index, content in
        Run(
          content: content, times: repeated.times,
          totals: (repeated.rows[index], repeated.changed[index]))
      }
    case .issue: []
    }
  }

  /// Of repeated contents the first time and the last.
  package var kept: [Content] {
    switch self {
    case .one(let content): [content]
    case .repeated(let repeated): repeated.first + repeated.last
    case .issue: []
    }
  }

  /// `nil` for what is repeated.
  package var only: Content? { if case .one(let content) = self { content } else { nil } }

  package func firstStep(where isMeant: (StoryStep) -> Bool) -> StoryStep? {
    switch self {
    case .one(let content): content.firstStep(where: isMeant)
    case .repeated(let repeated):
      repeated.first.firstStep(where: isMeant) ?? repeated.last.firstStep(where: isMeant)
    case .issue: nil
    }
  }

  /// Repeated ones count each.
  package var stepCount: Int { runs.reduce(0) { $0 + $1.times * $1.content.stepCount } }

  fileprivate mutating func changeSteps(_ body: (inout StoryStep) -> Void) {
    switch self {
    case .one(var content):
      content.changeSteps(body)
      self = .one(content)
    case .repeated(var repeated):
      for index in repeated.last.indices.reversed() { repeated.last[index].changeSteps(body) }
      for index in repeated.first.indices.reversed() { repeated.first[index].changeSteps(body) }
      self = .repeated(repeated)
    case .issue: break
    }
  }
}

/// One content again and again, or several in the same order.
package struct Repeated<Content: StoryContent>: Sendable, Equatable {
  package var times: Int
  package var first: [Content]
  package var last: [Content]
  /// In all, by content; of triggers and cascades none.
  package var rows: [Int]
  package var changed: [Int]

  init(_ all: [Content], period: Int) {
    (times, first, last) = (all.count / period, Array(all.prefix(period)), Array(all.suffix(period)))
    func sums(_ count: (Content) -> Int?) -> [Int] {
      (0..<period).map {
        stride(from: $0, to: all.count, by: period).reduce(0) { $0 + (count(all[$1]) ?? 0) }
      }
    }
    (rows, changed) = (sums(\.rows), sums(\.changed))
  }

  /// The steps of the times between the first and the last one.
  package var stepsBetween: Int { max(0, times - 2) * first.reduce(0) { $0 + $1.stepCount } }
}

/// A part of a story that has steps, in their order; of repetitions only the first and the last.
package protocol StepSource {
  /// The first step for which a condition holds. A story has thousands, and copies of all take long.
  func firstStep(where isMeant: (StoryStep) -> Bool) -> StoryStep?
}

extension StepSource {
  package var steps: [StoryStep] { steps(where: { _ in true }) }

  package func steps(where isWanted: (StoryStep) -> Bool) -> [StoryStep] {
    var steps: [StoryStep] = []
    _ = firstStep { step in
      if isWanted(step) { steps.append(step) }
      return false
    }
    return steps
  }

  package var stepNumbers: [Int] {
    var numbers: [Int] = []
    _ = firstStep { step in
      numbers.append(step.number)
      return false
    }
    return numbers
  }
}

extension Array: StepSource where Element: StepSource {
  package func firstStep(where isMeant: (StoryStep) -> Bool) -> StoryStep? {
    for element in self {
      if let step = element.firstStep(where: isMeant) { return step }
    }
    return nil
  }
}

/// What a piece of a story holds.
package protocol StoryContent: StepSource, Sendable, Equatable {
  /// `nil` where they are not known.
  var rows: Int? { get }
  var changed: Int? { get }
  var stepCount: Int { get }

  mutating func changeSteps(_ body: (inout StoryStep) -> Void)
}

extension StoryStep: StoryContent {
  package var rows: Int? { self[dynamicMember: \.rows] }
  package var changed: Int? { self[dynamicMember: \.changed] }
  package var stepCount: Int { 1 }

  package func firstStep(where isMeant: (StoryStep) -> Bool) -> StoryStep? { isMeant(self) ? self : nil }

  package mutating func changeSteps(_ body: (inout StoryStep) -> Void) { body(&self) }
}

/// A transaction, or statements that were committed each by itself.
package struct StoryGroup: StoryContent {
  package enum State: Sendable, Equatable {
    /// Outside of a transaction.
    case single
    case committed
    case rolledBack
    /// Not ended where this part of the story ends.
    case open
    /// Transactions of a WAL whose statements nobody recorded.
    case inWAL
    /// One of them that no recorded step made.
    case unexplained
  }

  package var state = State.single
  /// 0 where nobody knows it.
  package var connection: Int
  /// What the connection has open as `main`, by index.
  package var database: Int
  /// True when it was open at the failure.
  package var isContinued = false
  package var entries: [StoryEntry] = []

  package var stepCount: Int { entries.reduce(0) { $0 + $1.stepCount } }
  package var rows: Int? { entries.flatMap(\.runs).reduce(0) { $0 + ($1.rows ?? 0) } }
  package var changed: Int? { entries.flatMap(\.runs).reduce(0) { $0 + ($1.changed ?? 0) } }

  package func firstStep(where isMeant: (StoryStep) -> Bool) -> StoryStep? {
    entries.firstStep(where: isMeant)
  }

  package mutating func changeSteps(_ body: (inout StoryStep) -> Void) { entries.changeSteps(body) }
}

extension Array {
  mutating func changeSteps<Content>(_ body: (inout StoryStep) -> Void) where Element == StoryPiece<Content> {
    for index in indices.reversed() { self[index].changeSteps(body) }
  }
}
