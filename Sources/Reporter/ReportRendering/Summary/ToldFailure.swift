import ReportInspection
import ReportModel
import ReportStory

/// What all readers of the repository may see of a failed test.
///
/// The message is the test's own; values of rows are only added if allowed.
struct ToldFailure {
  let test: TestResult
  let contents: ReportContents
  var story: Story? { contents.stories[test.id] }

  private var showsValues: Bool { contents.summary.showsValues }

  var place: SourceReference? { test.leadingIssue?.location ?? test.location }

  /// The message on one line.
  var message: String? { test.leadingIssue.map { glance($0, contents.sources) } }

  /// The first explanation.
  var why: (certainty: String, pieces: [Explanation.Piece])? {
    guard let first = story?.explanations.first else { return nil }
    return (
      first.certainty.rawValue, showsValues ? first.pieces : first.pieces.withoutValues(names)
    )
  }

  private var names: Set<String> {
    Set(test.evidence.compactMap(\.path).compactMap { contents.databases[$0] }.flatMap(\.names))
  }

  /// What is suspicious about its writes, if anything.
  var finding: String? {
    TestFindings(test, contents).ofTheTest.map { showsValues ? $0.sentence : $0.bareText + "." }
  }

  var failing: FailingPlace? { FailingPlace(of: test, in: story) }

  var past: String? { contents.pasts[test.id]?.line }
}
