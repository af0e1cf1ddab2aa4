import Collector
import ExhibitSQLite
import Testing

@testable import ReportStory
@testable import ReportTestSupport

/// What repeats itself is told once.
@Suite struct StoryRepetitionTests {
  @Test func statementsThatRepeatThemselvesAreFolded() throws {
    var written = WrittenStory()
    written.step("BEGIN")
    for key in 1...900 { written.insert("orders", key, "[\(key)]") }
    written.step("COMMIT")
    written.issue(0)
    let story = try written.story()
    let entries = try #require(story.groups.first?.entries)
    #expect(entries.count == 3)
    guard case .repeated(let inserts) = entries[1] else { return #expect(Bool(false), "\(entries[1])") }
    #expect(inserts.times == 900 && inserts.changed == [900])
    #expect(inserts.first.map(\.number) == [2] && inserts.last.map(\.number) == [901])
    #expect(story.changes.sentence == "+900 orders" && story.stepCount == 902)
  }

  @Test func statementsThatTakeTurnsAreFoldedTogether() throws {
    var written = WrittenStory()
    for key in 1...50 {
      written.step("SELECT max(id) FROM orders", rows: 1)
      written.insert("orders", key, "[\(key)]")
    }
    written.issue(0)
    let entries = try #require(try written.story().groups.first?.entries)
    guard case .repeated(let pairs) = entries[0] else { return #expect(Bool(false), "\(entries[0])") }
    #expect(entries.count == 1 && pairs.times == 50 && pairs.rows == [50, 0] && pairs.changed == [0, 50])
  }

  @Test func transactionsThatRepeatThemselvesAreFolded() throws {
    var written = WrittenStory()
    for key in 1...20 {
      written.step("BEGIN")
      written.insert("orders", key, "[\(key)]")
      written.step("COMMIT")
    }
    written.issue(0)
    let story = try written.story()
    guard case .repeated(let groups) = story.items[0] else {
      return #expect(Bool(false), "\(story.items[0])")
    }
    #expect(groups.times == 20 && groups.changed == [20] && story.items.count == 2)
  }

  @Test func theOddOneAmongManyIsNotFolded() throws {
    var written = WrittenStory()
    for key in 1...30 {
      written.step("UPDATE orders SET state = ? WHERE id = ?", changed: key == 12 ? 0 : key == 20 ? 2 : 1)
      if key != 12 { written.change(.update, "orders", key, old: "[1]", new: "[2]") }
    }
    written.issue(0)
    let story = try written.story()
    let alone = story.groups[0].entries.compactMap { $0.only?.number }
    #expect(alone == [12, 20] && story.groups[0].entries.count == 5)
    #expect(story.marks(12) == [.changedNothing])
  }

  @Test func aStepThatHoldsTheMessagesValueIsNotFolded() throws {
    var written = WrittenStory()
    for key in 1...30 { written.insert("orders", key, "[\(key * 1000)]") }
    written.issue(0)
    let story = try written.story(failing: [#"XCTAssertEqual failed: ("7000") is not equal to ("1")"#])
    #expect(story[step: 7] != nil && story.valuePlaces.map(\.place.step) == [7])
  }

  @Test(
    arguments: [
      ([1, 2, 3], [1, 1, 1]), ([1, 1], [1, 1]), ([1, 1, 1], [3]), ([1, 2, 1, 2, 1, 2, 3], [3, 1]),
      ([1, 1, 2, 1, 1, 2, 1, 1, 2], [3]), ([nil, nil, nil], [1, 1, 1]), ([1, 1, 1, nil, 1], [3, 1, 1]),
      ([], []),
    ] as [([Int?], [Int])])
  func repetitionsCoverTheMost(likeness: [Int?], times: [Int]) {
    let found = Repetition.all(in: likeness)
    #expect(found.map(\.times) == times)
    #expect(found.reduce(0) { $0 + $1.period * $1.times } == likeness.count)
  }
}
