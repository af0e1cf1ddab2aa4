import Collector
import ReportModel
import Testing

@testable import ReportPlaces
@testable import ReportStory

/// An error that a test threw gets the test's line on the stack of the step that failed with it.
@Suite struct ThrownErrorPlacesTests {
  private static let test = TestCaseID(module: "ShopTests", suite: ["OrderTests"], name: "testSell")
  private static let unique = RecordedStory.Failure(
    code: 2067, message: "UNIQUE constraint failed: book.isbn")
  private static let foreignKey = RecordedStory.Failure(code: 787, message: "FOREIGN KEY constraint failed")

  /// Offsets 1 and 2 are lines 20 and 21 of the test, 3 a function of the app, 4 set-up, 5 the test without a line.
  private static let places = CodePlaces([
    CodePlaces.File(
      code: CodeFile(path: "/tests", size: 1, changedAt: 1),
      places: [
        1: [place("OrderTests.testSell()", 20)], 2: [place("OrderTests.testSell()", 21)],
        3: [place("Shop.sell(_:)", 40)], 4: [place("OrderTests.setUpWithError()", 8)],
        5: [place("OrderTests.testSell()", nil)],
      ])
  ])

  private static func place(_ function: String, _ line: Int?) -> Place {
    Place(
      symbol: function, name: PlaceName(module: "ShopTests", function: function),
      file: "Tests/OrderTests.swift",
      line: line)
  }

  /// The issue, behind steps with these stacks, innermost frame first, and errors.
  private func located(
    _ message: String, _ steps: [(stack: [Int]?, error: RecordedStory.Failure?)], after: Int? = nil,
    location: SourceReference? = nil
  ) throws -> TestIssue {
    var recorded = RecordedStory()
    recorded.test = Self.test
    recorded.code = [RecordedStory.Code(number: 0, path: "/tests", size: 1, changedAt: 1)]
    for (index, told) in steps.enumerated() {
      let step = RecordedStory.Step(number: index + 1)
      step.sql = "DELETE FROM book"
      step.error = told.error
      if let stack = told.stack {
        step.stack = index
        recorded.stacks.append(RecordedStory.Stack(number: index, frames: stack.flatMap { [0, $0] }))
      }
      recorded.steps.append(step)
    }
    recorded.issues = [.init(after: after ?? steps.count, ordinal: 0)]
    let issue = TestIssue(message: message, location: location, severity: .error, isKnown: false)
    let builder = StoryBuilder(
      recorded, issues: [issue], schemas: [], inspections: [:], path: { $0 }, places: Self.places)
    return try #require(builder.issues.first)
  }

  @Test func itIsTheTestsLineThatLedToTheStep() throws {
    let issue = try located(
      "threw error \"SQLite error 19: FOREIGN KEY constraint failed - while executing `DELETE`\"",
      [([3, 1], nil), ([3, 2], Self.foreignKey), ([1], nil)])
    #expect(issue.location == SourceReference(file: "Tests/OrderTests.swift", line: 21))
    #expect(issue.placeOrigin == .step)
  }

  @Test func ofSeveralStepsItIsTheLastThatFailedWithTheThrownError() throws {
    let busy = RecordedStory.Failure(code: 1, message: "cannot rollback - no transaction is active")
    let issue = try located(
      "threw UNIQUE constraint failed: book.isbn",
      [([1], Self.unique), ([2], Self.unique), ([1], busy), ([1], Self.unique)], after: 3)
    #expect(issue.location?.line == 21)
  }

  @Test func aPlaceThatTheLibraryToldStays() throws {
    let location = SourceReference(file: "Tests/Other.swift", line: 3)
    let issue = try located("UNIQUE constraint failed: book.isbn", [([1], Self.unique)], location: location)
    #expect(issue.location == location && issue.placeOrigin == .framework)
  }

  @Test(arguments: [
    "threw error \"notFound\"", "threw error \"FOREIGN KEY constraint failed\"", "sold 19 books, expected 20",
    "threw error \"tooMany(20670)\"",
  ])
  func anErrorThatIsNotTheStepsHasNoLine(message: String) throws {
    let issue = try located(message, [([3, 1], Self.unique)])
    #expect(issue.location == nil && issue.placeOrigin == .framework)
  }

  @Test(arguments: ["threw error \"DatabaseError(code: 2067)\"", "threw error \"SQLiteFailure(19)\""])
  func aCodeTellsTheErrorOfTheLastStepThatFailed(message: String) throws {
    #expect(try located(message, [([3, 1], Self.unique)]).location?.line == 20)
    #expect(
      try located(message, [([3, 1], Self.unique), ([2], .init(code: 1, message: "no"))]).location == nil)
  }

  @Test(arguments: [[4], [3], [5], nil])
  func aStackWithoutALineOfTheTestGivesNone(stack: [Int]?) throws {
    #expect(try located("threw UNIQUE constraint failed: book.isbn", [(stack, Self.unique)]).location == nil)
  }

  @Test func aStepAfterTheIssueSaysNothingOfIt() throws {
    let issue = try located(
      "threw UNIQUE constraint failed: book.isbn", [([1], nil), ([2], Self.unique)], after: 1)
    #expect(issue.location == nil)
  }
}
