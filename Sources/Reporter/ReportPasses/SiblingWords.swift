import Collector
import ReportModel
import ReportStory

/// Describes how a failed test differs from a related one, possibly without connection to the failure.
enum SiblingWords {
  static func sentence(
    at index: Int, in stories: ComparedStories, besides test: TestCaseID
  ) -> Explanation.Words {
    let entry = stories.entries[index]
    let before = stories.entries[..<index].last { $0.failed != nil }?.failed
    var sentence: Explanation.Words = "\(test.caseName(longest: 80)), which passed,"
    sentence += before.map { " does the same up to \(step: $0.number)" } ?? " begins otherwise"
    sentence += entry.failed.map { ". At \(step: $0.number)" } ?? ". Then"
    sentence += "\(" in ", place: entry.step?.place) \(words(of: entry))."
    return sentence
  }

  private static func words(of entry: ComparedStories.Entry) -> Explanation.Words {
    guard let failed = entry.failed else {
      return "it runs \(statement: entry.passed?.sql ?? ""), which did not run here"
    }
    let statement: Explanation.Words = "\(statement: failed.sql)"
    guard let passed = entry.passed else { return "\(statement) ran, which it does not" }
    if (failed.recorded.error != nil) != (passed.recorded.error != nil) {
      return failed.recorded.error != nil
        ? "\(statement) failed, and succeeds there" : "\(statement) succeeded, and fails there"
    }
    let (rows, others) = (failed.recorded.rows ?? 0, passed.recorded.rows ?? 0)
    if (rows > 0) != (others > 0) {
      return "\(statement) returned \(counted(rows, "row")), \(grouped(others)) there"
    }
    return "\(statement) changed \(counted(changed(failed), "row")), \(grouped(changed(passed))) there"
  }

  private static func changed(_ step: ToldSteps.Step) -> Int {
    max(step.written.count, step.recorded.changed ?? 0)
  }
}
