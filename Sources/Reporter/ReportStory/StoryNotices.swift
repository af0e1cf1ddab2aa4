import Collector
import ReportModel

/// Why a story lacks steps or rows, in sentences.
///
/// - Parameter lines: They may tell that all missing steps are set-up.
func storyNotices(of recorded: RecordedStory, _ databases: StoryDatabases, _ lines: [TestLine]) -> [String] {
  var notices: [String] = []
  let steps = recorded.steps
  let ofSetUp = lines.filter { $0.kind == .setUp }.reduce(0) { $0 + $1.counted }
  if recorded.missing > ofSetUp {
    notices.append(
      "The story begins in the middle: at least \(counted(recorded.missing, "step")) before it "
        + (recorded.missing == 1 ? "is" : "are") + " missing. A larger EXHIBIT_TRACE_SIZE keeps more.")
  }
  if let reason = recorded.withoutSteps { notices.append("Steps are not told: \(reason)") }
  if let reason = recorded.withoutChanges { notices.append("Rows are not told: \(reason)") }
  notices += untoldNotices(steps, databases)
  let unkept = steps.reduce(0) { $0 + $1.unkept }
  if unkept > 0 { notices.append("\(counted(unkept, "change")) of rows had no room and are only counted.") }
  for left in recorded.left {
    let test = left.test.map { shortened($0.name, to: 200) } ?? "another test"
    notices.append(
      "Not told are \(counted(left.steps, "step")) of what \(test) had left running, the last one: "
        + shortened(left.sql, to: 200))
  }
  let strangers = steps.count { $0.owner == .nobody }
  if strangers > 0 {
    notices.append(
      "Of \(counted(strangers, "step")) nobody knows whether this test made \(strangers == 1 ? "it" : "them")."
    )
  }
  return notices
}

private func untoldNotices(_ steps: [RecordedStory.Step], _ databases: StoryDatabases) -> [String] {
  let lacking = Dictionary(grouping: steps.filter(\.lacksRows), by: \.connection)
  return lacking.sorted { $0.key < $1.key }.flatMap { connection, steps in
    RecordedStory.UntoldRows.allCases.compactMap { reason in
      let count = steps.count { $0.untold == reason }
      guard count > 0 else { return nil }
      let name = databases.list[databases.main(of: connection)].name
      return "Rows of \(counted(count, "step")) on connection \(connection) (\(name)) are not told: "
        + reason.text
    }
  }
}

extension RecordedStory.UntoldRows {
  fileprivate var text: String {
    switch self {
    case .updateHook: "the app has an update hook on it, which would be called more often if they were."
    case .progressHandler:
      "the app has a progress handler on it, which would be called more often if they were."
    case .other: "the app has set something on it that goes before."
    }
  }
}
