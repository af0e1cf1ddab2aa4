import ExhibitSQLite
import Testing

@testable import ReportModel
@testable import ReportPasses
@testable import ReportStory
@testable import ReportTestSupport

/// What varies from pass to pass, as a history keeps it, and what it is good for.
@Suite struct VariationTests {
  private static let sum = "SELECT sum(units) FROM bin"
  private static let insert = "INSERT INTO bin (code, units) VALUES (?, ?)"

  private func told(_ variations: [PassVariation]?) -> [String]? {
    variations?.map { "\($0.statement): \($0.kind)" }
  }

  @Test func eachIsAStatementAndAKind() throws {
    let found = try Runs().variations(
      {
        $0.bin(1, "A", 2)
        $0.step("DELETE FROM log", changed: 0)
        $0.read(Self.sum, 2)
      },
      {
        $0.bin(1, "A", 3); $0.read(Self.sum, 3)
      })
    #expect(
      told(found) == [
        "DELETE FROM log: presence", "\(Self.insert): column 3 of bin", "\(Self.sum): rows read",
      ])
  }

  @Test func valuesAreInNone() throws {
    func story(_ secret: String) -> Runs.Written {
      {
        $0.step(
          "UPDATE bin SET code = 'sentinel\(secret)' -- sentinel\\n WHERE id = 1", changed: 1)
        $0.change(.update, "bin", 1, old: #"[1,"A",2]"#, new: #"[1,"sentinel\#(secret)",2]"#)
      }
    }
    let found = try Runs().variations(story("one"), story("other"))
    #expect(
      told(found) == [
        "UPDATE bin SET code = ? WHERE id = ?: column 2 of bin",
        "UPDATE bin SET code = ? WHERE id = ?: value 1",
      ])
  }

  @Test func stepsWhoseValuesAreWithheldSayNothing() throws {
    let found = try Runs().variations(
      {
        $0.bin(1, "A", 2)
        $0.step("DELETE FROM log", changed: 4, more: #","withheld":true"#)
      },
      {
        $0.bin(1, "A", 2)
        $0.step("DELETE FROM log", changed: 5, more: #","withheld":true"#)
      })
    #expect(found == [])
  }

  @Test func whatWasKnownStaysWhileItsStatementIsRun() throws {
    var runs = Runs()
    runs.varied = [
      PassVariation(statement: Self.insert, kind: "column 2 of bin"),
      PassVariation(statement: "DELETE FROM gone", kind: "presence"),
    ]
    let found = try runs.variations(
      {
        $0.bin(1, "A", 2); $0.read(Self.sum, 2)
      },
      {
        $0.bin(1, "A", 3); $0.read(Self.sum, 2)
      })
    #expect(told(found) == ["\(Self.insert): column 3 of bin", "\(Self.insert): column 2 of bin"])
  }

  @Test func storiesWithNothingInCommonSayNothing() throws {
    #expect(
      try Runs().variations(
        { story in for _ in 0..<20 { story.read(Self.sum, 5) } },
        { story in for _ in 0..<20 { story.step("DELETE FROM log", changed: 0) } }) == nil)
  }

  /// As between two passes at hand: it is no difference where there is another, and is not sure where there is none.
  @Test func whatAHistoryKnowsToVaryIsNoDifference() throws {
    func story(_ log: String, _ units: Int) -> Runs.Written {
      {
        $0.log(log); $0.bin(1, "A", units); $0.read(Self.sum, units)
      }
    }
    var runs = Runs()
    runs.origin = .history(EarlierRun(commit: nil, isDirty: true, date: 0))
    #expect(try runs.compare(story("one", 5), story("two", 4)).comparison.different == 3)
    runs.varied = [
      PassVariation(statement: "INSERT INTO log (text) VALUES (?)", kind: "column 2 of log")
    ]
    #expect(try runs.compare(story("one", 5), story("two", 4)).comparison.different == 2)
    runs.varied.formUnion([
      PassVariation(statement: Self.insert, kind: "column 3 of bin"),
      PassVariation(statement: Self.sum, kind: "rows read"),
    ])
    let found = try runs.compare(story("one", 5), story("two", 4))
    #expect(found.explanation?.certainty == .likely)
  }

  @Test func longStatementsAreCutAlike() {
    let long = String(repeating: "a", count: 3000)
    let (one, two) = (
      PassVariation(statement: long, kind: "x"), PassVariation(statement: long + "b", kind: "x")
    )
    #expect(one == two && one.statement.utf8.count == PassVariation.mostBytes)
  }

  /// Eight digits may be the beginning of a UUID, or a value that is wrong.
  @Test func aShortIdentifierIsADifferenceWhereNothingElseIs() throws {
    func story(_ note: String, _ units: Int) -> (inout WrittenStory) -> Void {
      {
        $0.bin(1, "N-1084 \(note)", 1)
        $0.bin(2, "A", units)
        $0.read("SELECT sum(units) FROM bin", 1 + units)
      }
    }
    let other = try Runs().compare(story("D0E030EA", 4), story("EA5ECAA5", 3))
    #expect(try #require(other.explanation?.text).contains("wrote bin.units 4, 3 when it passed"))
    #expect(other.comparison.alike == 1)
    let digits = try Runs().compare(story("29179717", 4), story("BDCE1DA9", 3))
    #expect(digits.comparison.alike == 1)
    let numbers = try Runs().compare(story("20260311", 4), story("20260312", 3))
    #expect(numbers.comparison.alike == 0)
    // Others that stand in texts like theirs say what they are.
    func stories(_ first: String, _ second: String, _ units: Int) -> (inout WrittenStory) -> Void {
      {
        $0.bin(7, "N-2090 \(first)", 1)
        story(second, units)(&$0)
      }
    }
    let known = try Runs().compare(
      stories("0BADCAFE", "71055802", 4), stories("1BADCAFE", "09232146", 3))
    #expect(known.comparison.alike == 2)
    let alone = try Runs().compare(story("D0E030EA", 4), story("EA5ECAA5", 4))
    #expect(alone.comparison.different == 1)
    #expect(alone.comparison.rows.contains { $0.words.text.contains("N-1084 D0E030EA") })
  }
}
