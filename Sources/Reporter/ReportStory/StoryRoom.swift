/// What a story may hold of rows: a report can have hundreds of stories, and a page shows but some rows of each.
struct StoryRoom {
  /// Rows that steps changed.
  var changes = 100
  /// Rows of results.
  var results = 200
  /// Steps that keep theirs all the same, by number.
  var kept: Set<Int> = []
  /// Steps that keep some of theirs all the same, by number.
  var named: Set<Int> = []
}

extension StoryRoom {
  /// Rows of a named step.
  private static let ofNamedStep = StoryRoom(changes: 12, results: 10)

  init(of story: Story) {
    kept = Set(story.valuePlaces.compactMap(\.place.step))
    named = story.stepsOfFindings
  }

  /// Has a named step take none of the others' room.
  fileprivate mutating func give(_ step: inout StoryStep) {
    guard named.contains(step.number) else { return step.take(from: &self) }
    var own = Self.ofNamedStep
    step.take(from: &own)
  }
}

extension Story {
  /// Leaves so many rows, those of the last steps before the failure first; what goes is counted.
  mutating func fit(_ room: StoryRoom) {
    var room = room
    items.fit(&room)
    afterFailure.fit(&room)
    setUp.fit(&room)
  }
}

extension [StoryItem] {
  fileprivate mutating func fit(_ room: inout StoryRoom) {
    for index in indices.reversed() {
      switch self[index] {
      case .group(var group):
        group.fit(&room)
        self[index] = .group(group)
      case .repeated(var repeated):
        for index in repeated.last.indices.reversed() { repeated.last[index].fit(&room) }
        for index in repeated.first.indices.reversed() { repeated.first[index].fit(&room) }
        self[index] = .repeated(repeated)
      case .issue: break
      }
    }
  }
}

extension StoryGroup {
  fileprivate mutating func fit(_ room: inout StoryRoom) {
    for index in entries.indices.reversed() {
      switch entries[index] {
      case .step(var step):
        step.fit(&room)
        entries[index] = .step(step)
      case .repeated(var repeated):
        for index in repeated.last.indices.reversed() { repeated.last[index].fit(&room) }
        for index in repeated.first.indices.reversed() { repeated.first[index].fit(&room) }
        entries[index] = .repeated(repeated)
      case .issue: break
      }
    }
  }
}

extension StoryStep {
  fileprivate mutating func fit(_ room: inout StoryRoom) {
    if !room.kept.contains(number) { room.give(&self) }
  }

  fileprivate mutating func take(from room: inout StoryRoom) {
    if results.count > room.results { results = Array(results.prefix(room.results)) }
    room.results -= results.count
    for index in changes.indices { changes[index].fit(&room) }
    for index in consequences.indices { consequences[index].fit(&room) }
  }
}

extension StoryTableChanges {
  fileprivate mutating func fit(_ room: inout StoryRoom) {
    if changes.count > room.changes {
      omitted += changes.count - room.changes
      changes = Array(changes.prefix(room.changes))
    }
    room.changes -= changes.count
  }
}
