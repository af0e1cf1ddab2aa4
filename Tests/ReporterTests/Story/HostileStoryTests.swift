import Collector
import Testing

@testable import Reporter

/// Stories of any size and order.
@Suite struct HostileStoryTests {
  @Test func manySavepointsAndDatabasesTakeNoLongerThanTheyHave() throws {
    var written = WrittenStory()
    for number in 1...3000 {
      written.database(number, "/tmp/\(number)/shop.sqlite")
      written.step("SAVEPOINT s\(number)")
    }
    for number in (1...3000).reversed() { written.step("ROLLBACK TO s\(number)", staysIn: true) }
    written.insert("orders", 1, "[1]")
    written.step("ROLLBACK TO s1", staysIn: true)
    written.insert("orders", 2, "[2]")
    let story = try written.story(failing: [])
    #expect(story[step: 6001]?.undone == .rolledBackTo("s1") && story[step: 6003]?.undone == nil)
    #expect(story.databases.last?.name == "/tmp/3000/shop.sqlite" && story.databases.count == 3001)
  }

  @Test func theLastStepsKeepTheirRows() throws {
    var written = WrittenStory()
    for key in 1...200 {
      written.step("UPDATE orders SET state = \(key)", changed: 3)
      for row in 1...3 {
        written.change(.update, "orders", row, old: "[\(key * 1000)]", new: "[\(key * 1000 + 1000)]")
      }
      written.step("SELECT \(key) FROM orders", rows: 3, results: "[[1],[2],[3]]")
    }
    written.issue(0)
    let story = try written.story(failing: [#"XCTAssertEqual failed: ("4000") is not equal to ("x")"#])
    let changes = story.steps.flatMap(\.changes)
    #expect(changes.allSatisfy { $0.changes.count + $0.omitted == 3 })
    #expect(
      story[step: 399]?.changes.first?.changes.count == 3 && story[step: 1]?.changes.first?.omitted == 3)
    #expect(changes.reduce(0) { $0 + $1.changes.count } <= 215)
    #expect(story.steps.reduce(0) { $0 + $1.results.count } == 200)
    // That holds the message's value.
    #expect(story[step: 7]?.changes.first?.changes.count == 3)
    #expect(story.changes.sentence == "3 rows of orders changed in column 1 only")
  }

  @Test func longStoriesThatRepeatNothingAreTold() throws {
    var written = WrittenStory()
    for key in 1...5000 {
      written.step("INSERT INTO t\(key % 977) VALUES (\(key))", on: key % 7 + 1, changed: 1)
      written.change(.insert, "t\(key % 977)", key, new: "[\(key)]")
    }
    written.issue(0)
    let story = try written.story()
    #expect(story.stepCount == 5000 && story.items.flatMap(\.steps).count == 5000)
    #expect(story.changes.tables.count > 977)
  }

  @Test func mutatedStoriesAreTold() throws {
    var written = WrittenStory()
    written.database(2, nil)
    for key in 1...6 {
      written.step("BEGIN", on: key % 2 + 1)
      written.step("SAVEPOINT a", on: key % 2 + 1)
      written.insert("note_content", key, "[\(key),\"a\"]")
      written.step("ROLLBACK TO a", on: key % 2 + 1)
      written.step("UPDATE stock SET a = 1 WHERE b", changed: 1, triggers: ["log"])
      written.change(.update, "stock", nil, old: "[1,2]", new: "[2,1]", depth: 1)
      written.step("COMMIT", on: key % 2 + 1)
      if key == 2 { written.baseline() }
      if key == 5 { written.issue(0) }
    }
    written.closed(1)
    var mutation = Mutation(seed: 99)
    let issue = TestIssue(
      message: #"XCTAssertEqual failed: ("417") is not equal to ("1")"#, location: nil, severity: .error,
      isKnown: false)
    for _ in 0..<1000 {
      guard let recorded = StoryFile(mutation.mutated(written.bytes, with: [written.bytes])).story else {
        continue
      }
      var story = StoryBuilder.story(of: recorded, issues: [issue], schemas: [.shop])
      // Of every step that was read a number stands somewhere, or it is between two that were folded.
      #expect(story.stepCount == recorded.steps.count)
      story.removeValues(names: [])
    }
  }
}
