/// Steps with the same marks and the same statement, as one.
package struct OddSteps: Sendable, Equatable {
  /// Those that belong to what was done last, in their order; the last one is spoken of.
  package var recent: [StoryStep]
  /// How many came before.
  package var earlier: Int
}

extension Story {
  /// The steps with marks, in their order.
  package var oddSteps: [StoryStep] { steps.filter { !$0.marks.isEmpty } }

  /// Odd steps, alike ones as one, the latest first, and how many others there are: those that repeat themselves before
  /// what was done last are mostly set-up.
  ///
  /// - Parameter likeness: What has to be equal of two steps, beside their statements.
  package func gatheredOddSteps(_ likeness: (StoryStep) -> String) -> (groups: [OddSteps], others: Int) {
    let start = highlights.map(\.first).min() ?? 0
    var groups: [[StoryStep]] = []
    var places: [[String]: Int] = [:]
    for step in oddSteps {
      let key = [likeness(step), step.sql]
      let place = places[key] ?? groups.count
      if place == groups.count {
        places[key] = place
        groups.append([])
      }
      groups[place].append(step)
    }
    let told = groups.filter { $0.count == 1 || $0.contains { $0.number >= start } }.map { steps in
      let recent = steps.count == 1 ? steps : steps.filter { $0.number >= start }
      return OddSteps(recent: recent, earlier: steps.count - recent.count)
    }
    let others = groups.reduce(0) { $0 + $1.count } - told.reduce(0) { $0 + $1.recent.count + $1.earlier }
    return (told.sorted { ($0.recent.last?.number ?? 0) > ($1.recent.last?.number ?? 0) }, others)
  }
}
