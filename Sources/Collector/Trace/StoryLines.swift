/// Writes the lines of `story.jsonl`: docs/artifacts-format.md, "story.jsonl".
package struct StoryLines: ~Copyable {
  private var writer = StoryLineWriter()
  /// The number of the last step that was written; 0 for none.
  package private(set) var last: Int

  /// Begins without lines.
  ///
  /// - Parameter last: The number of the last step that the file has already.
  package init(after last: Int = 0) {
    self.last = last
  }

  /// The lines so far.
  package var bytes: [UInt8] { writer.bytes }

  /// Writes the first line.
  ///
  /// - Parameter withoutChanges: Why changes of rows are not told, in a sentence.
  package mutating func begin(
    _ test: TestCaseID, missing: UInt64, withoutChanges: String?, withoutSteps: String? = nil
  ) {
    writer.write(
      StoryHead(
        test: test, missing: Int(clamping: missing), withoutChanges: withoutChanges,
        withoutSteps: withoutSteps))
  }

  package mutating func add(_ databases: [RecordedStory.Database]) {
    for database in databases { writer.write(database) }
  }

  /// Adds the steps that are not in the file yet, with what stands between them.
  package mutating func add(_ story: TestSteps) {
    let known = last
    if known == 0 { for passed in story.passed { writer.write(passed) } }
    for code in story.code { writer.write(code) }
    for stack in story.stacks { writer.write(stack) }
    var marks = story.marks.filter { $0.after >= known }[...]
    for step in story.steps where step.number > known {
      while let mark = marks.first, mark.after < step.number {
        add(mark)
        marks.removeFirst()
      }
      writer.write(step)
      for change in step.changes { writer.write(ChangeOfStep(step: step.number, change: change)) }
      last = step.number
    }
    for mark in marks { add(mark) }
  }

  /// Writes the last line, once the test has ended.
  package mutating func end() { writer.write(StoryEnd()) }

  private mutating func add(_ mark: TestSteps.Mark) {
    switch mark {
    case .issue(let issue): writer.write(issue)
    case .baseline(let baseline): writer.write(baseline)
    case .opened(let opened): writer.write(opened)
    case .closed(let closed): writer.write(closed)
    }
  }
}
