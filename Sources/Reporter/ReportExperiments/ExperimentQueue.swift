/// Chooses the next experiment, the likeliest given earlier results.
package struct ExperimentQueue: Sendable {
  private let plan: ExperimentPlan
  /// By subject; pairs of changes are added when all others were tried.
  private var experiments: [[PlannedExperiment]]
  private var hasSeconds = false
  private var tried: [Int]
  private var effects: [Effects]
  private var count = 0
  /// Experiments without results yet.
  private var pending = 0
  private var limit = ExperimentPlan.most

  package struct Next: Sendable {
    package var subject: Int
    package var experiment: PlannedExperiment
    package var number: Int
  }

  /// The effect of a change on the failure.
  package enum Effect: Sendable {
    case none
    case other
    /// The compared value came nearer to the expected one.
    case nearer
  }

  private struct Effects {
    var none = 0
    var other = 0
    var nearer = 0

    /// Weights the statement by earlier effects.
    var factor: Double {
      if nearer > 0 { return 2 }
      if other > 0 { return 1 }
      return 1 / (1 + Double(max(0, none - ExperimentQueue.free)) / 4)
    }
  }

  /// So many changes without effect do not count.
  private static let free = 4
  /// The decrease in likelihood from statement to statement.
  private static let perSubject = 0.02
  /// The most further experiments after a pass, at least doubling those so far.
  private static let mostBehindPass = 60
  private static let mostWithSeconds = 3

  package init(_ plan: ExperimentPlan) {
    self.plan = plan
    experiments = plan.subjects.map(\.experiments)
    tried = plan.subjects.map { _ in 0 }
    effects = plan.subjects.map { _ in Effects() }
  }

  package mutating func next() -> Next? {
    guard count < limit else { return nil }
    // Running experiments may still have an effect.
    if pending == 0, !experiments.indices.contains(where: { tried[$0] < experiments[$0].count }) {
      addSeconds()
    }
    let open = experiments.indices.filter { tried[$0] < experiments[$0].count }
    guard let subject = open.max(by: { likelihood($0) < likelihood($1) }) else { return nil }
    defer { tried[subject] += 1 }
    count += 1
    pending += 1
    return Next(subject: subject, experiment: experiments[subject][tried[subject]], number: count)
  }

  /// Adds pairs of changes for the nearest statements where single ones had an effect.
  private mutating func addSeconds() {
    if hasSeconds { return }
    hasSeconds = true
    let changing = experiments.indices.filter { effects[$0].other + effects[$0].nearer > 0 }
    for subject in changing.prefix(Self.mostWithSeconds) {
      experiments[subject] += plan.seconds(of: plan.subjects[subject])
    }
  }

  package mutating func noteNothing() { pending -= 1 }

  package mutating func note(_ next: Next, _ effect: Effect) {
    pending -= 1
    switch effect {
    case .none: effects[next.subject].none += 1
    case .other: effects[next.subject].other += 1
    case .nearer: effects[next.subject].nearer += 1
    }
  }

  /// Limits further experiments after a pass.
  package mutating func notePass(_ next: Next) {
    limit = min(limit, max(2 * next.number, next.number + Self.mostBehindPass))
  }

  package var left: Int {
    max(0, min(limit, experiments.reduce(0) { $0 + $1.count }) - count)
  }

  private func likelihood(_ subject: Int) -> Double {
    plan.subjects[subject].likelihood / (1 + Self.perSubject * Double(subject)) * effects[subject].factor
      * experiments[subject][tried[subject]].weight
  }
}
