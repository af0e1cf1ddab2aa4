import ReportInspection
import ReportModel
import ReportStory

/// The part of a failed test that every reader of the repository may see: in summary, comment and annotations.
///
/// Its message is the test's own and stands there as in the CI's log. What Exhibit adds has no values of rows, unless
/// they are asked for.
struct ToldFailure {
  let test: TestResult
  let contents: ReportContents
  var story: Story? { contents.stories[test.id] }

  private var showsValues: Bool { contents.summary.showsValues }

  var place: SourceReference? { test.leadingIssue?.location ?? test.location }

  /// The message, or how its process ended, on one line; `nil` where no input tells.
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

  /// The names of its databases' tables and columns, in lower case.
  private var names: Set<String> {
    Set(test.evidence.compactMap(\.path).compactMap { contents.databases[$0] }.flatMap(\.names))
  }

  /// The sentence on what is suspicious about what the test wrote; `nil` where nothing is.
  var finding: String? {
    TestFindings(test, contents).ofTheTest.map { showsValues ? $0.sentence : $0.bareText + "." }
  }

  /// The place of the step that the failure is about.
  var failing: FailingPlace? { FailingPlace(of: test, in: story) }

  /// The outcomes of its last runs, and what they say; `nil` where no history has it.
  var past: String? { contents.pasts[test.id]?.line }
}
