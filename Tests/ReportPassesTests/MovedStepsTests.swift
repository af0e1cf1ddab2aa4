import ExhibitSQLite
import Testing

@testable import ReportModel
@testable import ReportPasses
@testable import ReportStory
@testable import ReportTestSupport

/// Runs whose steps came in another order: of a Dictionary, of tasks that race, and of what waits for an answer.
@Suite struct MovedStepsTests {
  private static let sum = "SELECT sum(units) FROM bin"

  @Test func aStepIsHeldBesideTheOneWithItsValuesWhereverItRan() throws {
    let found = try Runs().compare(
      {
        $0.bin(1, "C", 9)
        $0.bin(2, "A", 17)
        $0.bin(3, "B", 16)
        $0.bin(4, "D", 16)
        $0.read(Self.sum, 5)
      },
      {
        $0.bin(1, "B", 17)
        $0.bin(2, "C", 9)
        $0.bin(3, "D", 16)
        $0.bin(4, "A", 16)
        $0.read(Self.sum, 4)
      })
    let text = try #require(found.explanation?.text)
    #expect(
      text.contains(
        "step 2: “INSERT INTO bin (code, units) VALUES (?, ?)” wrote bin.units 17, 16 when it passed"))
    #expect(text.contains(" 2 steps ran in another order than when it passed"))
  }

  @Test func whereOnlyTheOrderIsDifferentItIsNamed() throws {
    func deleteA(_ story: inout WrittenStory, _ id: Int) {
      story.step("DELETE FROM bin WHERE code = 'A'", changed: 1)
      story.change(.delete, "bin", id, old: #"[\#(id),"A",2]"#)
    }
    let found = try Runs().compare(
      {
        $0.bin(1, "A", 2)
        $0.bin(2, "B", 3)
        deleteA(&$0, 1)
        $0.read(Self.sum, 5)
      },
      {
        $0.bin(1, "B", 3)
        $0.bin(2, "A", 2)
        deleteA(&$0, 2)
        $0.read(Self.sum, 4)
      })
    let text = try #require(found.explanation?.text)
    #expect(text.contains("and not the other way round, as when it passed"))
    #expect(!text.contains("wrote bin"))
  }

  @Test func aReadThatOvertookAWriteOfAnotherConnectionLeads() throws {
    func read(_ story: inout WrittenStory, _ units: Int, on connection: Int) {
      story.step(
        "SELECT units FROM bin WHERE id = ?", on: connection, rows: 1, results: "[[\(units)]]",
        columns: #"["units"]"#)
    }
    func write(_ story: inout WrittenStory, _ old: Int, _ new: Int, on connection: Int) {
      story.step("UPDATE bin SET units = ? WHERE id = ?", on: connection, changed: 1)
      story.change(.update, "bin", 1, old: #"[1,"A",\#(old)]"#, new: #"[1,"A",\#(new)]"#)
    }
    let found = try Runs().compare(
      {
        $0.database(2, "/tmp/shop.sqlite")
        $0.bin(1, "A", 2)
        read(&$0, 2, on: 1)
        read(&$0, 2, on: 2)
        write(&$0, 2, 4, on: 1)
        write(&$0, 2, 5, on: 2)
        $0.read(Self.sum, 5)
      },
      {
        $0.database(2, "/tmp/shop.sqlite")
        $0.bin(1, "A", 2)
        read(&$0, 2, on: 1)
        write(&$0, 2, 4, on: 1)
        read(&$0, 4, on: 2)
        write(&$0, 4, 7, on: 2)
        $0.read(Self.sum, 4)
      })
    let text = try #require(found.explanation?.text)
    #expect(text.contains("step 3: “SELECT units FROM bin WHERE id = ?” returned something else"))
    #expect(text.contains("it ran before step 4 and not the other way round, as when it passed"))
  }

  @Test func aReadOfAnyRowLeadsWhereRowsWereWrittenInAnotherOrder() throws {
    func any(_ story: inout WrittenStory, _ units: Int) {
      story.step(
        "SELECT units FROM bin LIMIT 1", rows: 1, results: "[[\(units)]]", columns: #"["units"]"#)
    }
    let found = try Runs().compare(
      {
        $0.bin(1, "A", 2)
        $0.bin(2, "B", 3)
        any(&$0, 2)
        $0.read(Self.sum, 5)
      },
      {
        $0.bin(1, "B", 3)
        $0.bin(2, "A", 2)
        any(&$0, 3)
        $0.read(Self.sum, 4)
      })
    #expect(try #require(found.explanation?.text).hasPrefix("At step 3, it returned"))
  }

  @Test func whereTheProgramTookAnotherWayIsNamedAndWhatItWaitedFor() throws {
    let found = try Runs().compare(
      {
        $0.bin(1, "A", 2)
        $0.log("order")
        $0.pause = 0.2
        $0.log("order")
        $0.bin(2, "B", 3)
        $0.bin(3, "B", 3)
        $0.read(Self.sum, 5)
      },
      {
        $0.bin(1, "A", 2)
        $0.log("order")
        $0.bin(2, "B", 3)
        $0.read(Self.sum, 4)
      })
    let text = try #require(found.explanation?.text)
    #expect(
      text.contains("“INSERT INTO bin (code, units) VALUES (?, ?)” ran, which it did not when it passed"))
    #expect(text.contains("The runs part before that at step 3: “INSERT INTO log (text) VALUES (?)” ran"))
    #expect(text.contains("it began 300 ms behind step 2; when it passed, the next step began after 100 ms"))
  }

  @Test func aNumberThatIsTheRowsKeyByChanceIsStillItsValue() throws {
    let found = try Runs().compare(
      {
        $0.bin(1, "C", 1)
        $0.bin(2, "A", 7)
        $0.bin(3, "B", 8)
        $0.read(Self.sum, 5)
      },
      {
        $0.bin(1, "A", 7)
        $0.bin(2, "B", 8)
        $0.bin(3, "C", 1)
        $0.read(Self.sum, 4)
      })
    // The step that moved, and the read.
    #expect(found.comparison.different == 2)
    #expect(found.explanation?.text.contains("wrote") == false)
  }

  @Test func thousandsOfStepsInAnotherOrderAreTheSame() throws {
    func story(_ numbers: [Int]) -> (inout WrittenStory) -> Void {
      { story in
        for (place, number) in numbers.enumerated() { story.bin(place + 1, "code \(number)", number) }
        story.read(Self.sum, numbers.count)
      }
    }
    let numbers = Array(1...2000)
    let found = try Runs().compare(story(numbers), story(numbers.reversed()))
    #expect(!found.comparison.isTooDifferent)
    #expect(found.explanation?.text.contains("wrote") != true)
  }
}
