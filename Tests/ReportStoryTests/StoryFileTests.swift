import ExhibitSQLite
import Foundation
import Testing

@testable import Collector
@testable import ReportInspection
@testable import ReportStory
@testable import ReportTestSupport

/// What is read of `story.jsonl`, also where somebody damaged it.
@Suite struct StoryFileTests {
  private static let first =
    #"{"kind":"story","format":"1.4","test":{"module":"Shop","suite":["Orders"],"name":"testShip"},"steps":"trace","missing":3}"#

  private func read(_ lines: String..., limits: StoryFile.Limits = StoryFile.Limits()) -> StoryFile {
    StoryFile(Data(([Self.first] + lines).map { $0 + "\n" }.joined().utf8), limits: limits)
  }

  @Test func aStepIsReadWithAllThatItSays() throws {
    let file = read(
      #"{"kind":"database","connection":3,"schema":"main","path":"/tmp/shop.sqlite","number":0}"#,
      #"{"kind":"step","number":17,"time":0.25,"connection":3,"sql":"UPDATE orders SET total = ?","expanded":"UPDATE orders SET total = 5","transaction":{"before":true,"after":false},"duration":0.001,"rows":0,"changed":2,"unkept":1,"error":{"code":2067,"message":"UNIQUE"},"triggers":["log"]}"#,
      #"{"kind":"change","step":17,"operation":"update","schema":"main","table":"orders","depth":1,"key":4,"newKey":5,"old":[4,"a",null],"new":[5,{"text":"be","size":900},{"real":"2.5"}]}"#,
      #"{"kind":"step","number":18,"time":0.5,"connection":3,"sql":"SELECT id FROM orders","readOnly":true,"owner":"nobody","transaction":{"before":false,"after":false},"rows":2,"columns":["id"],"results":[[1],[{"blob":"00ff","size":9}],[{"unknown":true}]]}"#,
      #"{"kind":"issue","after":18,"issue":0}"#, #"{"kind":"baseline","after":16}"#,
      #"{"kind":"closed","connection":3,"after":18}"#, #"{"kind":"end"}"#)
    #expect(file.problems == [])
    let story = try #require(file.story)
    #expect(story.test?.description == "Shop.Orders/testShip" && story.missing == 3 && story.isWhole)
    #expect(story.databases == [.init(connection: 3, schema: "main", path: "/tmp/shop.sqlite")])
    #expect(story.issues == [.init(after: 18, ordinal: 0)] && story.baselines == [.init(after: 16)])
    #expect(story.closed == [.init(connection: 3, after: 18)])
    let update = try #require(story.steps.first)
    #expect(update.wasInTransaction && !update.isInTransaction && update.changed == 2 && update.unkept == 1)
    #expect(update.error == .init(code: 2067, message: "UNIQUE") && update.triggers == ["log"])
    let change = RecordedStory.Change(
      operation: .update, schema: "main", table: "orders", depth: 1, key: 4, newKey: 5,
      old: [.integer(4), .text("a"), .null],
      new: [.integer(5), .text("be", whole: .init(bytes: 900)), .real(2.5)])
    #expect(update.changes == [change])
    #expect(story.steps[1].owner == .nobody && story.steps[1].isReadOnly)
    #expect(story.steps[1].results == [[.integer(1)], [.blob([0, 255], of: 9)], [nil]])
  }

  @Test func aWriteThroughABlobHandleIsReadAsAnUpdate() throws {
    let file = read(
      #"{"kind":"step","number":1,"sql":"-- sqlite3_blob_write","changed":1}"#,
      #"{"kind":"change","step":1,"operation":"delete","table":"t","key":4,"blob":1,"old":[4,{"blob":"00"},"a"]}"#
    )
    let change = try #require(file.story?.steps.first?.changes.first)
    #expect(change.operation == .update && change.blobColumn == 1)
    #expect(change.new == [.integer(4), nil, .text("a")])
  }

  @Test(arguments: [
    "", "\n\n", "{}", "no story\n{\"kind\":\"end\"}\n", #"{"kind":"step","number":1,"sql":""}"#,
  ])
  func aFileWithoutTheFirstLineOfAStoryIsAFault(text: String) {
    let file = StoryFile(Data(text.utf8))
    #expect(file.story == nil && file.problems == [.headerMissing])
    #expect(file.problems.allSatisfy { $0.isFault })
  }

  @Test func anotherFormatIsNotRead() {
    for (format, kind) in [("2.0", FormatRefusal.Kind.newer), ("1.3", .older), ("", .none)] {
      let file = StoryFile(Data(#"{"kind":"story","format":"\#(format)","steps":"trace"}"#.utf8))
      #expect(file.story == nil && file.problems == [.format(FormatRefusal(kind, format))])
    }
    #expect(StoryFile(Data(#"{"kind":"story","steps":"trace"}"#.utf8)).problems == [.headerMissing])
  }

  @Test func whatANewerMinorVersionAddsIsPassedOver() {
    let file = read(#"{"kind":"weather","sun":true}"#, #"{"kind":"step","number":1,"sql":"X","new":[1]}"#)
    #expect(file.problems == [] && file.story?.steps.count == 1)
  }

  @Test func linesThatCannotBeReadAreNamedAndTheRestIsRead() {
    let file = read(
      "nonsense", #"{"kind":"step","number":-1,"sql":"X"}"#, #"{"kind":"step","number":2,"sql":"COMMIT"}"#,
      #"{"kind":"change","step":2,"operation":"turn","table":"a"}"#, "[[[[[[[[[[[[[[[[[[[[[[[")
    #expect(file.story?.steps.map(\.sql) == ["COMMIT"])
    #expect(file.problems == [2, 3, 5, 6].map { .unreadableLine($0) })
    #expect(!file.problems.contains { $0.isFault })
  }

  @Test func aHundredLinesThatCannotBeReadAreCounted() {
    let file = StoryFile(Data((Self.first + String(repeating: "\n?", count: 100) + "\n").utf8))
    #expect(file.problems.count == 6)
    #expect(file.problems.last?.message == "95 more lines of the story cannot be read.")
  }

  @Test func theLastLineMayBeCut() {
    let file = StoryFile(Data((Self.first + "\n{\"kind\":\"st").utf8))
    #expect(file.story != nil && file.problems == [.partialLastLine])
  }

  @Test func aStoryThatIsTooLongKeepsItsLastSteps() throws {
    let steps = (1...100).map { #"{"kind":"step","number":\#($0),"sql":"SELECT \#($0)"}"# }
    var limits = StoryFile.Limits()
    limits.steps = 10
    let file = StoryFile(Data(([Self.first] + steps).joined(separator: "\n").utf8), limits: limits)
    let story = try #require(file.story)
    #expect(story.steps.map(\.number) == Array(91...100))
    #expect(story.missing == 3 + 90)
    #expect(file.problems.count == 1)
  }

  @Test func changesWithoutRoomAreCounted() throws {
    var limits = StoryFile.Limits()
    limits.changes = 2
    let change = #"{"kind":"change","step":1,"operation":"delete","table":"a","key":1,"old":[1]}"#
    let file = read(
      #"{"kind":"step","number":1,"sql":"DELETE FROM a"}"#, change, change, change, change, limits: limits)
    let step = try #require(file.story?.steps.first)
    #expect(step.changes.count == 2 && step.unkept == 2)
  }

  @Test func valuesWithoutRoomAreCountedOrLeftOut() throws {
    var limits = StoryFile.Limits()
    limits.values = 4
    let change = #"{"kind":"change","step":1,"operation":"insert","table":"a","new":[1,2,3,4]}"#
    let file = read(
      #"{"kind":"step","number":1,"sql":"INSERT INTO a","results":[[1]]}"#, change, change,
      #"{"kind":"step","number":2,"sql":"SELECT 1","rows":1,"results":[[1]]}"#, limits: limits)
    let steps = try #require(file.story?.steps)
    #expect(steps.map(\.changes.count) == [1, 0] && steps.map(\.unkept) == [1, 0])
    #expect(steps.map(\.results.count) == [1, 0] && steps[1].rows == 1 && file.problems.count == 1)
  }

  @Test func aStoryThatIsTooLargeIsNotRead() {
    var limits = StoryFile.Limits()
    limits.bytes = 10
    let file = read(limits: limits)
    #expect(file.story == nil && file.problems.contains { $0.isFault })
  }

  @Test func mutatedStoriesAreReadOrNamed() throws {
    let whole = Data(
      ([Self.first]
        + (1...20).flatMap {
          [
            #"{"kind":"step","number":\#($0),"time":0.1,"connection":1,"sql":"INSERT","transaction":{"before":false,"after":true},"changed":1}"#,
            #"{"kind":"change","step":\#($0),"operation":"insert","schema":"main","table":"t","key":1,"new":[1,"é\n",{"real":"-inf"},{"blob":"00"}]}"#,
          ]
        }).joined(separator: "\n").utf8)
    var mutation = Mutation(seed: 13)
    for _ in 0..<2000 {
      let file = StoryFile(mutation.mutated(whole, with: [whole]))
      #expect(file.story != nil || !file.problems.isEmpty)
    }
  }
}
