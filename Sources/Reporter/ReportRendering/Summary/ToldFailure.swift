import ReportInspection
import ReportModel
import ReportStory

/// What of a failed test is told where everybody reads who reads the repository: in summary, comment and annotations.
///
/// Its message is the test's own and stands there as in the CI's log. What Exhibit adds has no values of rows, unless
/// they are asked for.
struct ToldFailure {
  let test: TestResult
  let contents: ReportContents
  var story: Story? { contents.stories[test.id] }

  private var showsValues: Bool { contents.summary.showsValues }

  var place: SourceReference? { test.leadingIssue?.location ?? test.location }

  /// What it said, or how its process ended, on one line; `nil` where no input tells.
  var message: String? {
    test.leadingIssue.map { glance($0, contents.sources) } ?? test.crash?.brief.first.map(glance)
  }

  /// The first sentence of Why, and how sure it is.
  var why: (certainty: String, pieces: [Explanation.Piece])? {
    guard let first = story?.explanations.first else { return nil }
    return (
      first.certainty.rawValue, showsValues ? first.pieces : first.pieces.withoutValues(names)
    )
  }

  /// Of the tables and columns of its databases, in lower case.
  private var names: Set<String> {
    Set(test.evidence.compactMap(\.path).compactMap { contents.databases[$0] }.flatMap(\.names))
  }

  /// What is suspicious about what the test wrote; `nil` where nothing is.
  var finding: String? {
    TestFindings(test, contents).ofTheTest.map { showsValues ? $0.sentence : $0.bareText + "." }
  }

  /// Where the step ran that the failure is about.
  var failing: FailingPlace? { FailingPlace(of: test, in: story) }

  /// How it ended in its last runs, and what that says; `nil` where no history has it.
  var past: String? { contents.pasts[test.id]?.line }
}
