import ExhibitSQLite
import Testing

@testable import ReportInspection
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// A story that waits for its page holds what the page shows and no more.
@Suite struct StoryRoomTests {
  @Test func whatNoOutputShowsIsTakenOut() throws {
    var written = WrittenStory()
    for number in 1...700 {
      written.step("SELECT \(number) FROM t\(number)", rows: 1, results: "[[\(number)]]")
      written.step("PRAGMA p\(number)")
    }
    var story = try written.story()
    let count = story.stepCount
    story.cut()
    #expect(story.stepCount == count && story.steps.count == 1400)
    #expect(story[step: 1]?.results == [] && story[step: 1399]?.results == [[.integer(700)]])
  }

  @Test func ofAWriteTheChangesStay() throws {
    var written = WrittenStory()
    written.insert("orders", 1, #"[1,"a text that is longer than fifteen bytes",null]"#)
    for number in 1...700 { written.step("SELECT \(number) FROM t\(number)", rows: 1) }
    var story = try written.story(schemas: [.shop])
    var before = story
    story.cut()
    before.shown = story.shown
    #expect(story == before && story[step: 1]?.changes.first?.changes.count == 1)
  }
}
