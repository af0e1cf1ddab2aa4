import ExhibitSQLite
import Testing

@testable import ReportModel
@testable import ReportPasses
@testable import ReportPlaces
@testable import ReportStory
@testable import ReportTestSupport

/// Differences that are no statement of a row: the schema, settings, transactions and files.
@Suite struct ComparedSettingsTests {
  private static let sum = "SELECT sum(units) FROM bin"

  private func story(
    _ units: Int, missing: [String] = [], first: Int = 0,
    _ write: @escaping (inout WrittenStory) -> Void = { _ in }
  ) -> (inout WrittenStory) -> Void {
    {
      for (index, sql) in missing.enumerated() {
        $0.lines.append(
          #"{"kind":"passed","sql":"\#(sql)","connection":1,"steps":1,"first":\#(index - 9),"last":\#(index - 9)}"#
        )
      }
      write(&$0)
      $0.read(Self.sum, units)
    }
  }

  @Test func aSchemaWhoseStepsAreMissingIsCompared() throws {
    let (index, unique) = ("CREATE INDEX code ON bin(code)", "CREATE UNIQUE INDEX code ON bin(code)")
    let table = "CREATE TABLE bin (id INTEGER PRIMARY KEY, code TEXT, units INTEGER)"
    let found = try Runs().compare(
      story(5, missing: [table, index]) { $0.bin(1, "A", 5) },
      story(4, missing: [table, unique]) { $0.bin(1, "A", 4) })
    let text = try #require(found.explanation?.text)
    #expect(text.contains("it ran “\(index)” where it ran “\(unique)” then"), "\(text)")
  }

  @Test func aSettingOfAConnectionThatWritesIsADifference() throws {
    let found = try Runs().compare(
      story(5) { $0.bin(1, "A", 5) },
      story(4) {
        $0.step("PRAGMA foreign_keys = ON")
        $0.bin(1, "A", 4)
      })
    #expect(try #require(found.explanation?.text).contains("“PRAGMA foreign_keys = ON” did not run"))
  }

  @Test func aSettingOfAConnectionThatOnlyReadsIsNone() throws {
    let found = try Runs().compare(
      story(5) {
        $0.database(2, "/tmp/shop.sqlite")
        $0.step("PRAGMA cache_size = 10", on: 2)
        $0.read("SELECT count(*) FROM log", 0, on: 2)
        $0.bin(1, "A", 5)
      },
      story(4) {
        $0.database(2, "/tmp/shop.sqlite")
        $0.read("SELECT count(*) FROM log", 0, on: 2)
        $0.bin(1, "A", 4)
      })
    #expect(try #require(found.explanation?.text).contains("wrote bin.units 5, 4 when it passed"))
  }

  @Test func theTransactionAroundAReadThatReturnedSomethingElseLeads() throws {
    let found = try Runs().compare(
      story(5) { $0.bin(1, "A", 5) },
      story(4) {
        $0.bin(1, "A", 5)
        $0.step("BEGIN")
      })
    #expect(try #require(found.explanation?.text).contains("“BEGIN” did not run"))
  }

  @Test func aReadWhoseRowsOnlyOneRunWroteOnLeads() throws {
    let found = try Runs().compare(
      story(5) { $0.bin(1, "A", 5) },
      story(4) {
        $0.bin(1, "A", 5)
        $0.step("SELECT text FROM log", rows: 1, results: #"[["B"]]"#, columns: #"["text"]"#)
        $0.bin(2, "B", -1)
      })
    #expect(try #require(found.explanation?.text).contains("“SELECT text FROM log” did not run"))
  }

  @Test func anotherFileIsNamed() throws {
    func other(_ name: String) -> (inout WrittenStory) -> Void {
      {
        $0.database(2, "/tmp/shop.sqlite")
        $0.database(3, "/tmp/old.sqlite")
        $0.database(4, "/tmp/new.sqlite")
        $0.read("SELECT count(*) FROM log", 0, on: 3)
        $0.read("SELECT count(*) FROM log", 0, on: 4)
        $0.read("SELECT max(id) FROM log", name == "old" ? 5 : 4, on: name == "old" ? 3 : 4)
      }
    }
    let found = try Runs().compare(
      {
        other("old")(&$0); $0.bin(1, "A", 5); $0.read(Self.sum, 5)
      },
      {
        other("new")(&$0); $0.bin(1, "A", 4); $0.read(Self.sum, 4)
      })
    #expect(
      found.comparison.rows.contains {
        $0.words.text.contains("worked on old.sqlite, on new.sqlite when it passed")
      })
  }

  @Test func withoutValuesNoneIsTold() throws {
    let found = try Runs().compare(
      story(5) { $0.bin(1, "SECRET", 5) }, story(4) { $0.bin(1, "SENTINEL", 4) })
    #expect(found.comparison.rows.contains { $0.words.text.contains("SECRET") })
    let bare = found.comparison.withoutValues
    for row in bare.rows {
      let told =
        row.words.text + (row.failed?.statement ?? "") + (row.passed?.statement ?? "")
        + "\(row.related as Any)"
      #expect(!told.contains("SECRET") && !told.contains("SENTINEL"), "\(told)")
    }
  }

  // MARK: - Changed code

  @Test func changedLinesKnowWhichOfThemWereAdded() {
    let lines = ChangedLines(
      path: "A.swift", oldStart: 10, oldCount: 4, newStart: 12, newCount: 4,
      lines: [" a", "-b", "+B", " c", "+d", "-e"])
    #expect(lines.linesText == "lines 13–15")
    #expect([12, 13, 15, 16].map { lines.holds($0) } == [true, true, true, true])
    #expect(!lines.holds(18) && !lines.holds(nil))
    #expect(lines.held(11) && !lines.held(17))
    var gone = lines
    gone.lines = [" a", " b", " c", "-d", "-e", " f"]
    #expect(gone.linesText == "at line 15")
    (gone.newStart, gone.newCount, gone.lines) = (0, 0, ["-a"])
    #expect(gone.linesText == "at line 1")
  }
}
