import Collector

/// Steps that a reader is led to from elsewhere: each stands by itself in the list of all, and is never left out.
extension Story {
  /// Odd steps that are named first, and of each kind some alike.
  package static let (mostOdd, mostAlike) = (3, 3)

  /// - Parameter marks: They may name other steps.
  package func namedSteps(with marks: some Sequence<StoryMark>) -> Set<Int> {
    stepsOfFindings
      .union(valuePlaces.compactMap(\.place.step))
      .union(highlights.map(\.last))
      .union(ending.map(\.step))
      .union(highlights.flatMap(\.related).compactMap(\.step))
      .union(explanations.flatMap(\.steps))
      .union(marks.compactMap(\.namedStep))
  }
}

extension Story {
  /// The steps whose code a reader wants to see at once.
  package var tellingSteps: [StoryStep] {
    let named = Set(highlights.flatMap { [$0.first, $0.last] } + explanations.flatMap(\.steps))
    return steps.filter { $0.error != nil || !$0.marks.isEmpty || named.contains($0.number) }
  }
}

extension Story {
  /// What a reader needs first, in that order: what failed or was read last, then the steps of Why.
  package var tellingNumbers: [Int] {
    let why = explanations.map(\.steps)
    let ends = why.isEmpty ? ending : ending.suffix(1)
    let last = highlights.filter { $0.kind != .wrote }.map(\.last).reversed() + ends.map(\.step).reversed()
    var seen: Set<Int> = []
    return (last + why.compactMap(\.first) + why.flatMap { $0.dropFirst() }).filter {
      seen.insert($0).inserted
    }
  }
}

extension Story {
  /// The steps that stand above all steps.
  package func markedNumbers(_ odd: some Sequence<OddSteps>) -> [Int] {
    let values = messageValues.indices.compactMap { index in
      valuePlaces.first { $0.value == index && $0.place.step != nil }?.place.step
    }
    return values + odd.compactMap(\.recent.last?.number)
  }
}

extension StoryMark {
  var namedStep: Int? {
    switch self {
    case .staleRead(let commit, _): commit
    case .tookAlong(_, _, let madeAgain): madeAgain
    default: nil
    }
  }
}

extension OddSteps {
  /// The latest first.
  package var others: [StoryStep] { recent.dropLast().suffix(Story.mostAlike).reversed() }

  package var unnamed: Int { earlier + max(0, recent.count - 1 - Story.mostAlike) }
}
