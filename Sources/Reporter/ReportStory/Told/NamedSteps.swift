import Collector

/// Steps that a reader is led to from elsewhere: each stands by itself in the list of all, and is never left out of it.
extension Story {
  /// Odd steps that are named before the others, of each kind one and some that are like it.
  package static let (mostOdd, mostAlike) = (3, 3)

  /// The numbers of those that are named by values of the message, by what was done last and by findings.
  ///
  /// - Parameter marks: The marks of the steps, which may name other steps.
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
  /// The steps of which a reader wants to see the code at once: odd and failed ones, the last ones, and those of Why.
  package var tellingSteps: [StoryStep] {
    let named = Set(highlights.flatMap { [$0.first, $0.last] } + explanations.flatMap(\.steps))
    return steps.filter { $0.error != nil || !$0.marks.isEmpty || named.contains($0.number) }
  }
}

extension Story {
  /// The numbers of the steps that a reader needs before all others, in that order: what failed or was read last, the first
  /// step of each sentence of Why, its others.
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
  /// The numbers of the steps that stand above all steps: by an oddity, or by where a value of the message stands.
  ///
  /// - Parameter odd: The odd steps that are named.
  package func markedNumbers(_ odd: some Sequence<OddSteps>) -> [Int] {
    let values = messageValues.indices.compactMap { index in
      valuePlaces.first { $0.value == index && $0.place.step != nil }?.place.step
    }
    return values + odd.compactMap(\.recent.last?.number)
  }
}

extension StoryMark {
  /// The number of another step that it speaks of.
  var namedStep: Int? {
    switch self {
    case .staleRead(let commit, _): commit
    case .tookAlong(_, _, let madeAgain): madeAgain
    default: nil
    }
  }
}

extension OddSteps {
  /// The steps that are named beside the one that is spoken of, the latest first.
  package var others: [StoryStep] { recent.dropLast().suffix(Story.mostAlike).reversed() }

  /// The number of unnamed steps.
  package var unnamed: Int { earlier + max(0, recent.count - 1 - Story.mostAlike) }
}
