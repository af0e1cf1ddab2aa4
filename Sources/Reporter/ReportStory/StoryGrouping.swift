import Collector

/// Puts steps into groups and folds what repeats itself.
struct StoryGrouping {
  final class MadeStep {
    let step: StoryStep
    /// Equal for steps that may be folded; `nil` for one that is always shown.
    let likeness: Int?

    init(step: StoryStep, likeness: Int?) { (self.step, self.likeness) = (step, likeness) }

    /// Not folded where its number is among these.
    func standingAlone(if numbers: Set<Int>) -> MadeStep {
      numbers.contains(step.number) ? MadeStep(step: step, likeness: nil) : self
    }
  }

  /// What folded steps share.
  struct Likeness: Hashable {
    private let sql: String
    private let connection: Int
    private let database: Int
    private let changed: Int?
    private let isUndone: Bool
    private let owner: RecordedStory.Owner
    private let consequences: [StoryTable: Int]

    init(_ step: StoryStep) {
      sql = step.sql
      connection = step.connection
      database = step.database
      changed = step.changed
      isUndone = step.undone != nil
      owner = step.owner
      consequences = Dictionary(
        step.consequences.map { ($0.table, $0.changes.count + $0.omitted) }, uniquingKeysWith: +)
    }
  }

  let transactions: StoryTransactions
  let steps: [RecordedStory.Step]
  let databases: StoryDatabases

  private struct Part {
    var group: StoryGroup
    /// None of what nobody recorded.
    var places: [Int]
    /// The number of its first step, or of that behind which it was committed.
    var start: Int
  }

  /// The steps behind one number, up to another.
  func items(
    from first: Int, to last: Int, _ issues: [RecordedStory.Issue], _ outside: [StoryFromWAL.Outside],
    _ made: [Int: MadeStep]
  ) -> [StoryItem] {
    var parts: [Part] = []
    for group in transactions.groups {
      guard let start = group.steps.first, let end = group.steps.last, first < steps[end].number,
        steps[start].number <= last
      else { continue }
      let isWhole = first < steps[start].number && steps[end].number <= last
      let places =
        isWhole ? group.steps : group.steps.filter { first < steps[$0].number && steps[$0].number <= last }
      if places.isEmpty { continue }
      var shown = StoryGroup(
        state: group.state, connection: group.connection, database: databases.main(of: group.connection))
      if group.state != .single {
        if group.end > last { shown.state = .open }
        shown.isContinued = steps[start].number <= first
      }
      parts.append(Part(group: shown, places: places, start: places.first.map { steps[$0].number } ?? 0))
    }
    return items(with(outside, among: parts), issues, made)
  }

  /// Between two groups, or between two statements that were committed each by itself.
  private func with(_ outside: [StoryFromWAL.Outside], among parts: [Part]) -> [Part] {
    var parts = parts
    let places = Dictionary(grouping: outside) { [$0.after, $0.step.database] }
    for (place, commits) in places.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let after = place[0]
      let group = StoryGroup(
        state: commits[0].state, connection: 0, database: place[1],
        entries: StoryEntry.folded(commits.map(\.step)))
      let own = Part(group: group, places: [], start: after)
      let next = parts.firstIndex { $0.start > after } ?? parts.count
      let inside = parts[..<next].lastIndex { part in
        part.group.state == .single && part.places.last.map { steps[$0].number > after } == true
      }
      guard let inside else {
        parts.insert(own, at: next)
        continue
      }
      var (former, later) = (parts[inside], parts[inside])
      former.places.removeAll { steps[$0].number > after }
      later.places.removeAll { steps[$0].number <= after }
      later.start = later.places.first.map { steps[$0].number } ?? after
      parts.replaceSubrange(inside...inside, with: [former, own, later])
    }
    return parts
  }

  /// An issue stands in the group of the step before it, where that goes on.
  private func items(
    _ parts: [Part], _ issues: [RecordedStory.Issue], _ made: [Int: MadeStep]
  ) -> [StoryItem] {
    var pending = issues.sorted { $0.after < $1.after }[...]
    var groups: [(item: StoryItem, likeness: GroupLikeness?)] = []
    for part in parts {
      while let issue = pending.first, issue.after < part.start {
        groups.append((.issue(pending.removeFirst().ordinal), nil))
      }
      var group = part.group
      var likeness: [GroupLikeness.Entry]? = part.places.isEmpty ? nil : []
      var stretch: [Int] = []
      func fold() {
        let (entries, likenesses) = folded(stretch.compactMap { made[$0] })
        group.entries += entries
        likeness = likeness.flatMap { old in likenesses.map { old + $0 } }
        stretch = []
      }
      for place in part.places {
        while let issue = pending.first, issue.after < steps[place].number {
          fold()
          group.entries.append(.issue(pending.removeFirst().ordinal))
          likeness = nil
        }
        stretch.append(place)
      }
      fold()
      if part.group.state == .open, let lastPlace = part.places.last {
        while let issue = pending.first, issue.after == steps[lastPlace].number {
          group.entries.append(.issue(pending.removeFirst().ordinal))
          likeness = nil
        }
      }
      let alike = likeness.map {
        GroupLikeness(state: group.state, connection: group.connection, entries: $0)
      }
      groups.append((.one(group), alike))
    }
    groups += pending.map { (.issue($0.ordinal), nil) }
    return folded(groups)
  }

  // MARK: - Folding

  private struct GroupLikeness: Equatable {
    struct Entry: Equatable {
      var steps: [Int]
      var isRepeated: Bool
    }

    var state: StoryGroup.State
    var connection: Int
    var entries: [Entry]
  }

  private func folded(_ made: [MadeStep]) -> ([StoryEntry], [GroupLikeness.Entry]?) {
    var entries: [StoryEntry] = []
    var likeness: [GroupLikeness.Entry]? = []
    for repetition in Repetition.all(in: made.map { $0.likeness }) {
      let all = Array(made[repetition.start..<repetition.end])
      let ids = all.prefix(repetition.period).map { $0.likeness }
      if ids.contains(nil) {
        likeness = nil
      } else {
        likeness?.append(.init(steps: ids.compactMap { $0 }, isRepeated: repetition.times > 1))
      }
      if repetition.times == 1 {
        entries.append(.one(all[0].step))
      } else {
        entries.append(.repeated(Repeated(all.map { $0.step }, period: repetition.period)))
      }
    }
    return (entries, likeness)
  }

  private func folded(_ groups: [(item: StoryItem, likeness: GroupLikeness?)]) -> [StoryItem] {
    Repetition.all(in: groups.map(\.likeness)).map { repetition in
      let all = groups[repetition.start..<repetition.end].map(\.item)
      guard repetition.times > 1 else { return all[0] }
      return .repeated(Repeated(all.compactMap(\.only), period: repetition.period))
    }
  }
}
