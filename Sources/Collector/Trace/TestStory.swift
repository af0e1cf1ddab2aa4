/// A test, the choice of its steps in a ring, and what its story says beside them.
package struct TestStory: Sendable {
  package var test: TestCaseID
  package var subject: TestSteps.Subject
  /// The reason why changes of rows are not told, in a sentence; `nil` when they are.
  package var withoutChanges: String?
  /// True when the test has ended.
  package var isWhole: Bool

  package init(_ test: TestCaseID, subject: TestSteps.Subject, withoutChanges: String?, isWhole: Bool) {
    (self.test, self.subject) = (test, subject)
    (self.withoutChanges, self.isWhole) = (withoutChanges, isWhole)
  }

  /// The lines of `story.jsonl`.
  ///
  /// - Parameter databases: The databases of connections with these numbers.
  /// - Returns: `nil` when the ring has no step of the test.
  package func lines(
    from image: TraceImage, databases: (Set<Int>) -> [RecordedStory.Database]
  ) -> [UInt8]? {
    let steps = TestSteps(of: subject, in: image)
    guard !steps.steps.isEmpty else { return nil }
    var lines = StoryLines()
    lines.begin(test, missing: steps.missing, withoutChanges: withoutChanges)
    lines.add(databases(Set(steps.steps.map(\.connection))))
    lines.add(steps)
    if isWhole { lines.finish() }
    return lines.bytes
  }
}
