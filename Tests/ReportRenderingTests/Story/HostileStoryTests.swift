import Collector
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportModel
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

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
    // As many steps as a page shows.
    for key in 1...StoryBudget.shownSteps / 2 {
      written.step("UPDATE orders SET state = \(key)", changed: 3)
      for row in 1...3 {
        written.change(.update, "orders", row, old: "[\(key * 1000)]", new: "[\(key * 1000 + 1000)]")
      }
      written.step("SELECT \(key) FROM orders", rows: 4, results: "[[1],[2],[3],[4]]")
    }
    written.issue(0)
    var story = try written.story(failing: [#"XCTAssertEqual failed: ("4000") is not equal to ("x")"#])
    story.cut()
    let changes = story.steps.flatMap(\.changes)
    #expect(changes.allSatisfy { $0.changes.count + $0.omitted == 3 })
    #expect(
      story[step: 99]?.changes.first?.changes.count == 3 && story[step: 1]?.changes.first?.omitted == 3)
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

  private static let variables = ProcessInfo.processInfo.environment

  /// `EXHIBIT_FUZZ=10000` mutates that often; `EXHIBIT_FUZZ_SEED` repeats a run.
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
    var mutation = Mutation(seed: Self.variables["EXHIBIT_FUZZ_SEED"].flatMap { UInt64($0) } ?? 99)
    let issue = TestIssue(
      message: #"XCTAssertEqual failed: ("417") is not equal to ("1")"#, location: nil, severity: .error,
      isKnown: false)
    for round in 0..<(Self.variables["EXHIBIT_FUZZ"].flatMap { Int($0) } ?? 1000) {
      let start = ProcessorTime.now
      defer { #expect(ProcessorTime.now - start < .seconds(120), "round \(round)") }
      guard let recorded = StoryFile(mutation.mutated(written.bytes, with: [written.bytes])).story else {
        continue
      }
      var story = StoryBuilder.story(of: recorded, issues: [issue], schemas: [.shop])
      // Of every step that was read a number stands somewhere, or it is between two that were folded.
      #expect(story.stepCount == recorded.steps.count)
      story.removeValues(names: [])
      story.cut()
      let report = ReportDocument(Report(title: "", runs: [], tests: []))
      #expect(!report.file().contents.isEmpty)
    }
  }

  /// Whole lines go, come twice, change places, or say a number that nobody has.
  @Test func mutatedLinesAreToldOrNamed() throws {
    var numbers = SystemRandomNumberGenerator()
    let lines = Self.everyLine
    let strange = [
      "-1", "0.5", "1e300", "9223372036854775807", "-9223372036854775808", "18446744073709551616",
      "4503599627370497",
      "null", "\"\"", "[[[[]]]]", "{}", "true",
    ]
    for _ in 0..<(Self.variables["EXHIBIT_FUZZ"].flatMap { Int($0) } ?? 1000) {
      var some = lines
      for _ in 0...Int.random(in: 0..<6, using: &numbers) {
        let place = Int.random(in: 1..<some.count, using: &numbers)
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: some.remove(at: place)
        case 1: some.insert(some[place], at: Int.random(in: 1...some.count, using: &numbers))
        case 2: some.swapAt(place, Int.random(in: 1..<some.count, using: &numbers))
        default:
          let digits = some[place].ranges(of: /[:\[,]-?[0-9]+/)
          guard let digit = digits.randomElement(using: &numbers) else { continue }
          let first = some[place].index(after: digit.lowerBound)
          some[place].replaceSubrange(
            first..<digit.upperBound, with: strange.randomElement(using: &numbers) ?? "")
        }
      }
      let text = some.joined(separator: "\n")
      let file = StoryFile(Data(text.utf8))
      let recorded = try #require(file.story, "\(text)")
      let known = Set(recorded.steps.map(\.number))
      #expect(known.count == recorded.steps.count, "\(text)")
      if recorded.steps.count < some.count(where: { $0.contains(#""kind":"step""#) }) {
        #expect(!file.problems.isEmpty, "\(text)")
      }
      var story = StoryBuilder.story(of: recorded, issues: [], schemas: [.shop])
      #expect(story.stepCount == recorded.steps.count)
      story.cut()
    }
  }

  private static var everyLine: [String] {
    var written = WrittenStory()
    written.database(2, nil, schema: "other")
    for key in 1...4 {
      written.step("SAVEPOINT a", on: key % 2 + 1)
      written.insert("orders", key, "[\(key),{\"text\":\"a\",\"size\":9},{\"blob\":\"00\",\"size\":3}]")
      written.step("UPDATE stock SET a = 1 WHERE b", changed: 1, triggers: ["log"])
      written.change(
        .update, "stock", 1, old: "[1,2]", new: "[2,1]", depth: 1, more: ",\"newKey\":2,\"blob\":1")
      written.step("SELECT 1", rows: 1, results: "[[1,{\"real\":\"2.5\"}]]", columns: "[\"a\",\"b\"]")
      written.step("ROLLBACK TO a", on: key % 2 + 1, staysIn: true)
      written.step("COMMIT", on: key % 2 + 1, error: "busy", code: 5)
      if key == 2 { written.baseline() }
    }
    written.issue(0)
    written.closed(1)
    written.end()
    return written.lines
  }

  private func take(_ lines: [String]) throws -> (story: Story, file: StoryFile) {
    let first = WrittenStory().lines[0]
    let file = StoryFile(Data(([first] + lines + [""]).joined(separator: "\n").utf8))
    var story = StoryBuilder.story(of: try #require(file.story), issues: [], schemas: [.shop])
    story.cut()
    return (story, file)
  }

  private func step(_ number: Int, _ sql: String, isIn: Bool = true) -> String {
    #"{"kind":"step","number":\#(number),"connection":1,"sql":"\#(sql)","transaction":{"before":\#(isIn),"after":\#(isIn)},"changed":1}"#
  }

  /// Each takes time in proportion to its lines: as the square of them it would be minutes.
  @Test func deepSavepointsTakeNoLongerThanTheyAreMany() throws {
    let start = ProcessorTime.now
    let long = String(repeating: "x", count: 3000)
    let open = (1...5000).map { step($0, "SAVEPOINT \(long)\($0)") }
    let (none, _) = try take(open + (5001...10_000).map { step($0, "RELEASE \(long)") })
    #expect(none.stepCount == 10_000)
    var lines = (1...6000).map { step($0, $0 == 1 ? "SAVEPOINT a" : "INSERT INTO t VALUES (\($0))") }
    for round in 0..<4500 {
      for (index, sql) in ["SAVEPOINT b", "ROLLBACK TO b", "ROLLBACK TO a"].enumerated() {
        lines.append(step(6001 + 3 * round + index, sql))
      }
    }
    let (again, _) = try take(lines)
    #expect(again[step: 19_500] != nil || again.stepCount == 19_500)
    let (deep, file) = try take((1...100_000).map { step($0, "SAVEPOINT s\($0)") })
    #expect(deep.stepCount == 20_000 && deep.missing == 80_000 && !file.problems.isEmpty)
    #expect(ProcessorTime.now - start < .seconds(60))
  }

  @Test func manyTriggersTablesAndSchemasTakeNoLongerThanTheyAreMany() throws {
    let start = ProcessorTime.now
    let triggers = (0..<200).map { "g\($0)" }
    let program = (0..<1000).map { "DELETE FROM u\($0);" }.joined()
    var lines = triggers.enumerated().map {
      step($0.offset + 1, "CREATE TRIGGER \($0.element) AFTER INSERT ON t BEGIN \(program) END", isIn: false)
    }
    lines.append(
      step(300, "INSERT INTO t SELECT 1", isIn: false).dropLast()
        + ",\"triggers\":[\"\(triggers.joined(separator: "\",\""))\"]}")
    for key in 0..<15_000 {
      lines.append(
        #"{"kind":"change","step":300,"operation":"insert","depth":1,"schema":"s\#(key)","table":"q\#(key)","key":\#(key)}"#
      )
    }
    for number in 1...9000 {
      lines.append(
        #"{"kind":"database","connection":1,"schema":"main","path":"/tmp/\#(number)/a","after":99999}"#)
    }
    let (story, file) = try take(lines)
    #expect(story.stepCount == 201 && file.problems == [])
    #expect(story.databases.count < 9200)
    #expect(ProcessorTime.now - start < .seconds(60))
  }

  @Test func hugeCountsAreAddedUp() throws {
    let most = (1 << 40) - 1
    let (story, _) = try take(
      (1...3000).map {
        step($0, "UPDATE t SET a = 1 WHERE b", isIn: false).dropLast()
          + ",\"rows\":\(most),\"unkept\":\(most),\"duration\":999999999}"
      })
    #expect(story.stepCount == 3000 && story.notices.first?.contains("changes") == true)
    let (none, file) = try take([step(1 << 40, "COMMIT")])
    #expect(none.stepCount == 0 && file.problems == [.unreadableLine(2)])
  }

  @Test func aMillionLinesThatSayNothingAreCounted() throws {
    let (story, file) = try take(
      (0..<250_000).flatMap { number in
        [
          #"{"kind":"issue","after":\#(number),"issue":0}"#, #"{"kind":"baseline","after":0}"#,
          #"{"kind":"closed","connection":\#(number),"after":0}"#, "?",
        ]
      })
    #expect(story.stepCount == 0 && file.problems.count == 7)
    #expect(file.problems.contains(.cut("249,995 more lines of the story cannot be read.")))
  }

  @Test func namesOfAMegabyteWithControlCharactersAreTold() throws {
    let name = String(repeating: #"a\u0000\u001b[31m\u202e"#, count: 60_000)
    let (story, file) = try take([
      step(1, "INSERT INTO \(name)", isIn: false),
      #"{"kind":"change","step":1,"operation":"insert","schema":"\#(name)","table":"\#(name)","key":1,"new":["\#(name)"]}"#,
      #"{"kind":"database","connection":1,"schema":"\#(name)","path":"/\#(name)"}"#,
    ])
    #expect(file.problems == [] && story.stepCount == 1 && story.changes.tables.count == 1)
  }
}
