import Collector
import ReportInspection
import ReportModel
// For every file of these tests.
@_exported public import TestSupport
import Testing

@testable import ReportCauses
@testable import ReportStory
@testable import ReportTestSupport

/// What Why says of a story, and of the database as SQL leaves it.
///
/// - Parameter message: Of the failure.
func why(_ message: String, _ sql: String, _ write: (inout WrittenStory) -> Void) throws -> [Explanation] {
  let folder = try TemporaryFolder()
  let path = try folder.database("shop.sqlite", sql)
  let schema = CapturedSchema(
    of: path, evidence: "shop.sqlite", source: "/tmp/shop.sqlite", isUncommitted: false)
  var written = WrittenStory()
  write(&written)
  written.issue(0)
  let file = StoryFile(written.bytes)
  guard let recorded = file.story, file.problems.isEmpty else {
    throw WrittenStory.Unreadable(problems: file.problems)
  }
  let issue = TestIssue(message: message, location: nil, severity: .error, isKnown: false)
  let builder = StoryBuilder(
    recorded, issues: [issue], schemas: [schema], inspections: [:], path: { $0 })
  let captured = CapturedFile(database: 0, schema: schema)
  let told = builder.toldSteps()
  let explanations = Causes(told, files: [captured], message: message).explanations()
  for explanation in explanations {
    let values = valuesTold(by: explanation.pieces, of: told, message: message)
    #expect(values.isEmpty, "\(explanation.pieces)")
  }
  return explanations
}

/// XCTest's message for two numbers.
func unequal(_ read: Int, _ other: Int) -> String {
  #"XCTAssertEqual failed: ("\#(read)") is not equal to ("\#(other)") - "#
}

extension WrittenStory {
  /// A read of one number.
  mutating func read(_ sql: String, _ number: Int, on connection: Int = 1, column: String = "n") {
    step(sql, on: connection, rows: 1, results: "[[\(number)]]", columns: #"["\#(column)"]"#)
  }
}
