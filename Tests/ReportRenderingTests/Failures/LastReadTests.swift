import Collector
import Testing

@testable import ReportModel
@testable import ReportPlaces
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// What the last read returned stands beside `#expect(try inbox() == 640)`, whose message has no value.
@Suite struct LastReadTests {
  private static let line = SourceReference(file: "Tests/Orders.swift", line: 20)
  /// Offset 1 is the test's line 20.
  private static let places = CodePlaces([
    CodePlaces.File(
      code: CodeFile(path: "/tests", size: 1, changedAt: 1),
      places: [
        1: [
          Place(
            symbol: "testShip", name: PlaceName(module: "Shop", function: "Orders.testShip()"),
            file: line.file,
            line: line.line)
        ]
      ])
  ])

  private func text(
    _ message: String, failingAt line: SourceReference = line, rows: Int = 1, results: String = "[[274]]"
  ) throws -> String? {
    var written = WrittenStory()
    written.stack(0, [1])
    written.step("SELECT 3 FROM orders", rows: 1, results: "[[3]]", more: #","stack":0"#)
    written.step(
      "SELECT count(*) FROM orders", rows: rows, results: results, columns: #"["n"]"#, more: #","stack":0"#)
    written.issue(0)
    let story = try written.story(failing: [message], at: line, places: Self.places)
    let issue = TestIssue(message: message, location: line, severity: .error, isKnown: false)
    return lastReadText(of: issue, story)
  }

  @Test(arguments: [
    "try inbox() == 640", "640 == try inbox()", "try store.count(of: \"a == b\") == 640",
  ])
  func theValueOfTheReadStandsBesideALiteral(expression: String) throws {
    #expect(
      try text("Expectation failed: \(expression)")
        == "The message tells no value. The last read on this line, step 2, returned 274.")
  }

  @Test func ofAListThatIsCountedTheRowsAre() throws {
    let text = try text(
      "Expectation failed: try list().count == 3", rows: 5, results: "[[1],[2],[3],[4],[5]]")
    #expect(text == "The message tells no value. The last read on this line, step 2, returned 5 rows.")
  }

  @Test(arguments: [
    "Expectation failed: (inbox → 274) == 640", "Expectation failed: try inbox() == try archive()",
    "Expectation failed: try inbox() > 640", "XCTAssertEqual failed: (\"274\") is not equal to (\"640\")",
  ])
  func nothingIsSaidWhereTheMessageHasValuesOrComparesWithNoLiteral(message: String) throws {
    #expect(try text(message) == nil)
  }

  @Test func aReadOfAnotherLineIsNoAnswer() throws {
    let other = SourceReference(file: Self.line.file, line: 30)
    #expect(try text("Expectation failed: try inbox() == 640", failingAt: other) == nil)
  }
}
