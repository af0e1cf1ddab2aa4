import Collector
import ExhibitSQLite
import ReportStory
import Testing

@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

/// What the search in the values of all failures reads.
@Suite struct ValuesFileTests {
  /// What is kept of a step that read some rows.
  private func texts(_ results: [[DatabaseValue?]]) throws -> (texts: [String], isCut: Bool) {
    var step = try #require(try ordersReport().stories.values.first?.steps.first)
    step.results = results
    return ValuesFile.texts(of: step)
  }

  @Test func aStepWithAllOfItsValuesIsNotCut() throws {
    let (texts, isCut) = try texts([[.text("short"), .blob([1, 2]), .integer(7), nil, .text("short")]])
    #expect(texts.suffix(3) == ["short", "0102", "7"] && !isCut)
  }

  /// So that what is not found is never said to be in no value.
  @Test(
    arguments: [
      [[.text(String(repeating: "x", count: 401))]], [[.blob([UInt8](repeating: 7, count: 39))]],
      [[.text("x", whole: .init(bytes: 9))]], (0...60).map { [.integer($0)] },
    ] as [[[DatabaseValue?]]])
  func aStepWithMoreThanIsKeptIsCut(results: [[DatabaseValue?]]) throws {
    #expect(try texts(results).isCut)
  }
}
