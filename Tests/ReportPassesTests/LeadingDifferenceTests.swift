import ExhibitSQLite
import Testing

@testable import ReportModel
@testable import ReportPasses
@testable import ReportStory
@testable import ReportTestSupport

/// Differences that had no effect are passed over; those that reach the failure through the program lead.
@Suite struct LeadingDifferenceTests {
  private static let sum = "SELECT sum(units) FROM bin"
  private static let insert = "INSERT INTO bin (code, units) VALUES (?, ?)"
  private typealias Written = Runs.Written

  private func bin(_ sql: String, _ id: Int, _ units: Int) -> Written {
    {
      $0.step(sql, changed: 1)
      $0.change(.insert, "bin", id, new: "[\(id),\"A\",\(units)]")
    }
  }

  private func compare(
    _ failed: [Written], _ passed: [Written], runs: Runs = Runs()
  ) throws -> (comparison: PassComparison, explanation: Explanation?) {
    try runs.compare({ story in failed.forEach { $0(&story) } }) { story in passed.forEach { $0(&story) } }
  }

  private func lead(_ failed: [Written], _ passed: [Written], runs: Runs = Runs()) throws -> String {
    try #require(try compare(failed, passed, runs: runs).explanation?.text)
  }

  private func read(_ sql: String, _ rows: String, _ count: Int? = nil) -> Written {
    {
      $0.step(
        sql, rows: count ?? rows.split(separator: "],[").count, results: "[\(rows)]", columns: #"["a","b"]"#)
    }
  }

  @Test func aStatementThatIsOnlySpelledOtherwiseIsPassedOver() throws {
    let other = "insert or ignore into bin (units, code) values (?, ?)"
    let found = try compare(
      [bin(other, 1, 2), bin("INSERT INTO bin VALUES (3)", 2, 3), { $0.read(Self.sum, 5) }],
      [bin(Self.insert, 1, 2), bin("INSERT INTO bin VALUES (3)", 2, 2), { $0.read(Self.sum, 4) }])
    let text = try #require(found.explanation?.text)
    #expect(
      text.hasPrefix(
        "At step 2, it wrote bin.units 3, 2 when it passed, by “INSERT INTO bin VALUES (3)”; it passed when it ran again."
      ), "\(text)")
    #expect(
      found.comparison.surroundings
        == " 1 difference comes before it, at step 1; it is not known to reach the failure. 1 more difference follows."
    )
  }

  @Test func aStatementThatDoesSomethingElseLaterLeads() throws {
    let other = "insert or ignore into bin (units, code) values (?, ?)"
    let text = try lead(
      [bin(other, 1, 2), bin(other, 2, 3), { $0.read(Self.sum, 5) }],
      [bin(Self.insert, 1, 2), bin(Self.insert, 2, 2), { $0.read(Self.sum, 4) }])
    #expect(text.hasPrefix("At step 1: "), "\(text)")
    #expect(text.contains("the first to do something else is step 2"), "\(text)")
  }

  @Test(arguments: [("CREATE INDEX i ON bin(code)", 2), ("CREATE UNIQUE INDEX i ON bin(code)", 1)])
  func anIndexThatForbidsNothingIsPassedOver(sql: String, step: Int) throws {
    let text = try lead(
      [{ $0.step(sql) }, bin(Self.insert, 1, 5), { $0.read(Self.sum, 5) }],
      [bin(Self.insert, 1, 4), { $0.read(Self.sum, 4) }])
    #expect(text.hasPrefix("At step \(step)"), "\(text)")
  }

  @Test(arguments: [(#"["A",1],["B",2],["C",3]"#, true), (#"["A",1],["B",2],["D",4]"#, false)])
  func theSameRowsInOtherPortionsArePassedOver(rows: String, isSame: Bool) throws {
    func page(_ limit: Int, _ rows: String) -> Written {
      {
        $0.step(
          "SELECT code, units FROM bin LIMIT ?", rows: rows.isEmpty ? 0 : rows.split(separator: "],[").count,
          results: "[\(rows)]", columns: #"["code","units"]"#,
          more: #","expanded":"SELECT code, units FROM bin LIMIT \#(limit)""#)
      }
    }
    let text = try lead(
      [page(3, rows), page(3, ""), bin(Self.insert, 4, 5), { $0.read(Self.sum, 5) }],
      [
        page(2, #"["A",1],["B",2]"#), page(2, #"["C",3]"#), page(2, ""), bin(Self.insert, 4, 4),
        { $0.read(Self.sum, 4) },
      ])
    #expect(text.contains("it was given 3, 2 when it passed") != isSame, "\(text)")
    if isSame { #expect(text.contains("wrote bin.units 5, 4 when it passed"), "\(text)") }
  }

  @Test func aTableThatTheProgramReadAndWroteOnReachesTheFailure() throws {
    func log(_ action: String, _ changes: Bool) -> [Written] {
      [
        {
          $0.step(
            "INSERT INTO log (id, text) VALUES (1, ?) ON CONFLICT DO \(action)", changed: changes ? 1 : 0)
          if changes { $0.change(.update, "log", 1, old: #"[1,"amount 1"]"#, new: #"[1,"amount 2"]"#) }
        }, read("SELECT text, id FROM log", #"["amount \#(changes ? 2 : 1)",1]"#),
        {
          $0.step("INSERT INTO bin (code, units) VALUES (?, ?)", changed: 1)
          $0.change(.insert, "bin", 1, new: #"[1,"amount \#(changes ? 2 : 1)",\#(changes ? 4 : 5)]"#)
        }, { $0.read(Self.sum, changes ? 4 : 5) },
      ]
    }
    let text = try lead(log("NOTHING", false), log("UPDATE SET text = excluded.text", true))
    #expect(text.hasPrefix("At step 1: "), "\(text)")
    #expect(text.contains("changed 0 rows, 1 when it passed"), "\(text)")
  }

  private func given(_ ids: [Int], _ columns: String = "(id, code, units)") -> Written {
    {
      for (index, id) in ids.enumerated() {
        $0.step("INSERT INTO bin \(columns) VALUES (?, ?, ?)", changed: 1)
        $0.change(.insert, "bin", id, new: "[\(id),\"A\(index)\",1]")
      }
      $0.read("SELECT max(id) FROM bin", ids.last ?? 0)
    }
  }

  @Test(arguments: ["(id, code, units)", ""])
  func aKeyThatTheProgramGaveStandsForNoOther(columns: String) throws {
    let text = try lead([given([1, 2, 4], columns)], [given([1, 2, 3], columns)])
    #expect(
      text.contains("At step 3") && text.contains("wrote the key in bin 4, 3 when it passed"), "\(text)")
  }

  @Test func keysThatTheDatabaseMayHaveGivenStandForOthers() throws {
    func story(_ first: [Int], _ columns: String) -> Written {
      { story in
        given(first, columns)(&story)
        story.read("SELECT count(*) FROM log", 1)
      }
    }
    func different(_ one: [Int], _ other: [Int], _ columns: String) throws -> Int {
      try Runs().compare(story(one, columns), story(other, columns)).comparison.different
    }
    // Only the read of the greatest one returned something else.
    #expect(try different([1, 2], [1, 2], "(id, code, units)") == 0)
    #expect(try different([7, 9], [7, 12], "(code, units)") == 1)
  }

  @Test func theFewChangesOfACommitAreNamedWhereverTheyAre() throws {
    func text(_ count: Int) throws -> String {
      var runs = Runs()
      let hunk = ChangedLines(
        path: "A.swift", oldStart: 5, oldCount: 1, newStart: 5, newCount: 1, lines: ["-a", "+b"])
      runs.origin = .commit(
        ComparedCommit(
          name: "main", hash: "abcdef1", subject: "Tidy", date: 0,
          changes: [ChangedLines](repeating: hunk, count: count)))
      return try lead(
        [bin(Self.insert, 1, 5), { $0.read(Self.sum, 5) }],
        [bin(Self.insert, 1, 4), { $0.read(Self.sum, 4) }],
        runs: runs)
    }
    #expect(
      try text(1).hasSuffix(" A.swift line 5 changed since, not on this step’s stack. Nothing else changed."))
    #expect(try !text(4).contains("A.swift"))
  }

  @Test func theReadThatIsMissingBeforeAnOldValueLeads() throws {
    let staff = "SELECT code, cents FROM staff"
    let text = try lead(
      [read(staff, #"["A",4300]"#), bin(Self.insert, 1, 4300), { $0.read(Self.sum, 5) }],
      [
        read(staff, #"["A",4300]"#), read("SELECT code, cents FROM staff WHERE 1", #"["A",6000]"#),
        bin(Self.insert, 1, 6000), { $0.read(Self.sum, 4) },
      ])
    #expect(
      text.contains("“SELECT code, cents FROM staff WHERE 1” did not run, which it did when it passed"),
      "\(text)")
  }

  /// The program goes through what it read: of no row it wrote none on.
  @Test func theReadOfAnotherStatementBeforeWritesThatAreMissingLeads() throws {
    let due = "SELECT code FROM staff WHERE cents > ?"
    let then = "SELECT code FROM staff WHERE cents >= ?"
    let text = try lead(
      [bin(Self.insert, 9, 4), read(due, "", 0), { $0.read(Self.sum, 5) }],
      [
        bin(Self.insert, 9, 4), read(then, #"["A"],["B"]"#), bin(Self.insert, 1, 2), bin(Self.insert, 2, 2),
        { $0.read(Self.sum, 4) },
      ])
    #expect(text.hasPrefix("At step 2: it ran "), "\(text)")
    #expect(
      text.contains("At step 2: it ran “SELECT code FROM staff WHERE cents > ?” where it ran "), "\(text)")
  }
}
