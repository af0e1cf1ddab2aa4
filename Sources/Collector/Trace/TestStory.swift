package struct TestStory: Sendable {
  package var test: TestCaseID
  package var subject: TestSteps.Subject
  package var withoutChanges: String?
  package var isWhole: Bool

  package init(_ test: TestCaseID, subject: TestSteps.Subject, withoutChanges: String?, isWhole: Bool) {
    (self.test, self.subject) = (test, subject)
    (self.withoutChanges, self.isWhole) = (withoutChanges, isWhole)
  }

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
