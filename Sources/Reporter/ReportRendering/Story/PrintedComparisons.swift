package import Collector
import ReportModel
package import ReportStory

/// What tests did in two runs, as a text for the terminal or as Markdown.
package struct PrintedComparisons {
  /// Rows of the comparison of one test, and of each of several.
  private static let (mostRows, fewRows) = (400, 3)

  private let title: String
  private let lines: [TerminalLine]

  /// - Parameter name: What the user called the test.
  package init(_ comparison: PassComparison, of name: String) {
    title = name
    lines = comparison.printed(most: Self.mostRows)
  }

  /// - Parameters:
  ///   - tests: The tests that passed in both runs and did not do the same.
  ///   - count: How many passed in both.
  package init(_ tests: [(id: TestCaseID, comparison: PassComparison)], of count: Int) {
    title =
      "\(counted(count, "test")) passed in both runs with steps, and \(tests.isEmpty ? "none" : grouped(tests.count)) did something else"
    lines = tests.flatMap { test in
      [TerminalLine(test.id.description, .strong)] + test.comparison.printed(most: Self.fewRows)
    }
  }

  package func text(isColoured: Bool, isMarkdown: Bool) -> String {
    if isMarkdown {
      return "# \(codeSpan(shortened(title, to: 200)))\n\n"
        + codeBlock(lines.map(\.text).joined(separator: "\n"))
    }
    return ([TerminalLine(title, .strong)] + lines).coloured(isColoured)
  }
}
