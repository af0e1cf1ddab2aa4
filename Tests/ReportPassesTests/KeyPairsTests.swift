import ReportModel
import Testing

@testable import ReportPasses
@testable import ReportStory
@testable import ReportTestSupport

/// What a statement of the pass is told by: the failed run's keys, and no moments.
@Suite struct KeyPairsTests {
  private func told(_ write: Runs.Written) throws -> ToldSteps {
    var written = WrittenStory()
    write(&written)
    written.end()
    let recorded = try #require(StoryFile(written.bytes).story)
    return StoryBuilder(recorded, issues: [], schemas: [], inspections: [:], path: { $0 }).toldSteps()
  }

  private func run(firstKey key: Int, now: Int) throws -> ToldSteps {
    try told {
      $0.bin(key, "A", 2)
      let text = "SELECT units FROM bin WHERE id = \(key) AND at < \(now)"
      $0.step("SELECT units FROM bin WHERE id = ? AND at < ?", more: #","expanded":"\#(text)""#)
    }
  }

  /// Whether rows have other keys or the same, and of moments in whole seconds too.
  @Test(arguments: [7, 1])
  func keysAreThoseOfTheFailedRunAndMomentsAreNone(key: Int) throws {
    let (failed, passed) = (
      try run(firstKey: 1, now: 1_795_000_000), try run(firstKey: key, now: 1_794_000_000)
    )
    let columns = KeyColumns(failed, passed)
    let (now, then) = (try #require(failed.steps.last), try #require(passed.steps.last))
    #expect(KeyPairs(ofFailed: columns).literals(of: now) == ["1", "moment"])
    #expect(KeyPairs(failed, passed, columns).literals(of: then) == ["1", "moment"])
    #expect(
      KeyPairs(failed, passed, columns).asked(by: then)
        == "SELECT units FROM bin WHERE id = 1 AND at < moment")
  }
}
