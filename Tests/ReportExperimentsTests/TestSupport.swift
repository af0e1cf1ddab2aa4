// For every file of these tests.
@_exported public import TestSupport

@testable import ReportPlaces
@testable import ReportStory
@testable import ReportTestSupport

/// XCTest's message for two numbers.
func unequal(_ read: Int, _ other: Int) -> String {
  #"XCTAssertEqual failed: ("\#(read)") is not equal to ("\#(other)") - "#
}

extension WrittenStory {
  /// A read of one number.
  mutating func read(_ sql: String, _ number: Int) {
    step(sql, rows: 1, results: "[[\(number)]]", columns: #"["n"]"#)
  }

  /// Its steps, as experiments are planned of them.
  func told(places: CodePlaces = CodePlaces(), schemas: [CapturedSchema] = []) throws -> ToldSteps {
    let file = StoryFile(bytes)
    guard let recorded = file.story, file.problems.isEmpty else { throw Unreadable(problems: file.problems) }
    return StoryBuilder(
      recorded, issues: [], schemas: schemas, inspections: [:], path: { $0 }, places: places
    )
    .toldSteps()
  }
}
