/// Which steps of a story are shown where there are more than a reader can take in: odd ones first, then those that hold
/// a value of the message, then writes, then the latest.
struct StorySelection {
  private var hidden: Set<Int> = []

  init(_ story: Story, marks: StoryValueMarks, most: Int) {
    let steps = story.steps
    guard steps.count > most else { return }
    hidden = Set(Self.ranked(steps, marks: marks).dropFirst(most).map(\.number))
  }

  /// Steps as they rank, the most telling first.
  static func ranked(_ steps: [StoryStep], marks: StoryValueMarks) -> [StoryStep] {
    steps.enumerated().sorted { one, other in
      let (first, second) = (rank(one.element, marks), rank(other.element, marks))
      return first != second ? first < second : one.offset > other.offset
    }.map(\.element)
  }

  func shows(_ step: StoryStep) -> Bool { !hidden.contains(step.number) }

  /// 0 for odd ones, to 3 for reads.
  static func rank(_ step: StoryStep, _ marks: StoryValueMarks) -> Int {
    if !step.marks.isEmpty || step.error != nil || step.isRunning { return 0 }
    if marks.steps.contains(step.number) { return 1 }
    return step.changes.isEmpty && step.consequences.isEmpty ? 3 : 2
  }
}
