/// The next experiments of a plan: the likeliest one of all at each time, by what was tried before.
package struct ExperimentQueue: Sendable {
  private let plan: ExperimentPlan
  /// Those of each subject; the ones with two changes come to them when all others were tried.
  private var experiments: [[PlannedExperiment]]
  private var hasSeconds = false
  private var tried: [Int]
  private var effects: [Effects]
  private var count = 0
  /// Those of which nobody said yet what they did.
  private var pending = 0
  private var limit = ExperimentPlan.most

  /// An experiment of the plan.
  package struct Next: Sendable {
    package var subject: Int
    package var experiment: PlannedExperiment
    /// Its number in the order in which they are tried, from 1.
    package var number: Int
  }

  /// What a change does to a failure.
  package enum Effect: Sendable {
    case none
    case other
    /// The value that the test compares is nearer to the expected one.
    case nearer
  }

  /// What the changes of one statement did.
  private struct Effects {
    var none = 0
    var other = 0
    var nearer = 0

    /// How much likelier the statement is than one that was not tried.
    var factor: Double {
      if nearer > 0 { return 2 }
      if other > 0 { return 1 }
      return 1 / (1 + Double(max(0, none - ExperimentQueue.free)) / 4)
    }
  }

  /// So many changes without effect tell nothing of a statement: of a query that finds nothing most have none.
  private static let free = 4
  /// A statement is this much less likely than the one before it that is as near to the failure.
  private static let perSubject = 0.02
  /// So many more are tried when the test passed with one, and at least as many as until then.
  private static let mostBehindPass = 60
  /// So many statements get second changes.
  private static let mostWithSeconds = 3

  package init(_ plan: ExperimentPlan) {
    self.plan = plan
    experiments = plan.subjects.map(\.experiments)
    tried = plan.subjects.map { _ in 0 }
    effects = plan.subjects.map { _ in Effects() }
  }

  package mutating func next() -> Next? {
    guard count < limit else { return nil }
    // What still runs may have an effect.
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

  /// Adds changes to the nearest statements of which one alone has an effect.
  private mutating func addSeconds() {
    if hasSeconds { return }
    hasSeconds = true
    let changing = experiments.indices.filter { effects[$0].other + effects[$0].nearer > 0 }
    for subject in changing.prefix(Self.mostWithSeconds) {
      experiments[subject] += plan.seconds(of: plan.subjects[subject])
    }
  }

  /// Notes that an experiment was not applied.
  package mutating func noteNothing() { pending -= 1 }

  /// Notes what an experiment did.
  package mutating func note(_ next: Next, _ effect: Effect) {
    pending -= 1
    switch effect {
    case .none: effects[next.subject].none += 1
    case .other: effects[next.subject].other += 1
    case .nearer: effects[next.subject].nearer += 1
    }
  }

  /// Notes that the test passed with an experiment: others are tried for as long again.
  package mutating func notePass(_ next: Next) {
    limit = min(limit, max(2 * next.number, next.number + Self.mostBehindPass))
  }

  /// The number of those that would be tried yet.
  package var left: Int {
    max(0, min(limit, experiments.reduce(0) { $0 + $1.count }) - count)
  }

  /// How likely the test passes with the next change of a subject.
  private func likelihood(_ subject: Int) -> Double {
    plan.subjects[subject].likelihood / (1 + Self.perSubject * Double(subject)) * effects[subject].factor
      * experiments[subject][tried[subject]].weight
  }
}
