/// Writes `story.jsonl`, whose steps are numbered in their test; a ring numbers those of its process.
package struct StoryLines: ~Copyable {
  package struct End: Sendable, Equatable {
    /// In the process; 0 for none.
    package var step = 0
    package var number = 0

    package init() {}
  }

  /// JSON readers elsewhere know integers exactly up to here.
  private static let largestNumber = 1 << 53

  private var writer = StoryLineWriter()
  package private(set) var end: End

  package init(after end: End = End()) {
    self.end = end
  }

  package var bytes: [UInt8] { writer.bytes }

  package mutating func begin(
    _ test: TestCaseID, missing: UInt64, withoutChanges: String?, withoutSteps: String? = nil
  ) {
    end.number = min(Int(clamping: missing), Self.largestNumber)
    writer.write(
      StoryHead(
        test: test, missing: end.number, withoutChanges: withoutChanges,
        withoutSteps: withoutSteps))
  }

  package mutating func add(_ databases: [RecordedStory.Database]) {
    for database in databases { writer.write(database) }
  }

  package mutating func add(_ story: TestSteps) {
    let known = end.step
    if known == 0 { add(story.overwritten, before: story.steps.first?.number) }
    for left in story.left where known == 0 { writer.write(left) }
    for code in story.code { writer.write(code) }
    for stack in story.stacks { writer.write(stack) }
    var marks = story.marks.filter { $0.after >= known }[...]
    for step in story.steps where step.number > known {
      while let mark = marks.first, mark.after < step.number {
        add(mark)
        marks.removeFirst()
      }
      (end.step, end.number) = (step.number, end.number + 1)
      step.number = end.number
      writer.write(step)
      for change in step.changes { writer.write(ChangeOfStep(step: step.number, change: change)) }
    }
    for mark in marks { add(mark) }
  }

  package mutating func write<Content: StoryLineContent>(_ content: Content) { writer.write(content) }

  package mutating func finish() { writer.write(StoryEnd()) }

  /// Adds counts of missing steps, whose numbers are inexact when other tests ran meanwhile.
  ///
  /// - Parameter first: The first told step's number in the process.
  private mutating func add(_ overwritten: [RecordedStory.Overwritten], before first: Int?) {
    let missing = end.number
    let skipped = (first ?? missing + 1) - missing - 1
    func number(_ step: Int) -> Int { min(max(1, min(step, Self.largestNumber) - skipped), max(1, missing)) }
    for var overwritten in overwritten {
      (overwritten.first, overwritten.last) = (number(overwritten.first), number(overwritten.last))
      writer.write(overwritten)
    }
  }

  private mutating func add(_ mark: some MarkBetweenSteps) {
    var mark = mark
    mark.after = end.number
    writer.write(mark)
  }
}
