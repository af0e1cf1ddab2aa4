import ExhibitSQLite
import Testing

@testable import ReportModel
@testable import ReportPasses
@testable import ReportStory
@testable import ReportTestSupport

/// What was different when a test passed, and which difference leads.
@Suite struct FirstDifferenceTests {
  private static let sum = "SELECT sum(units) FROM bin"

  @Test func aValueThatWasWrittenOtherwiseIsNamedWithBothSides() throws {
    let found = try Runs().compare(
      {
        $0.bin(1, "A", 2); $0.bin(2, "B", 3); $0.read(Self.sum, 5)
      },
      {
        $0.bin(1, "A", 2); $0.bin(2, "B", 2); $0.read(Self.sum, 4)
      })
    let sentence = try #require(found.explanation)
    #expect(sentence.certainty == .certain)
    #expect(
      sentence.text.hasPrefix(
        "At step 2, it wrote bin.units 3, 2 when it passed, by “INSERT INTO bin (code, units) VALUES (?, ?)”; it passed when it ran again."
      ))
    #expect(sentence.rows?.columns == ["written", "units", "id", "code"])
    #expect(sentence.rows?.rows.map { $0[1] } == [.integer(3), .integer(2)])
    #expect(sentence.rows?.rows.count == 2)
    #expect(found.comparison.alike == 1)
    #expect(found.comparison.different == 2)
    #expect(
      found.comparison.firstDifference
        == "“INSERT INTO bin (code, units) VALUES (?, ?)” wrote bin.units otherwise than when it passed")
  }

  @Test func anotherStatementOfTheSameKindIsComparedWithIt() throws {
    let found = try Runs().compare(
      {
        $0.bin(1, "A", 2)
        $0.step("DELETE FROM bin WHERE code LIKE 'A%'", changed: 0)
        $0.read(Self.sum, 5)
      },
      {
        $0.bin(1, "A", 2)
        $0.step("DELETE FROM bin WHERE code = 'A'", changed: 1)
        $0.change(.delete, "bin", 1, old: #"[1,"A",2]"#)
        $0.read(Self.sum, 4)
      })
    let text = try #require(found.explanation?.text)
    #expect(
      text.contains(
        "it ran another statement: “DELETE FROM bin WHERE code LIKE 'A%'” where it ran “DELETE FROM bin WHERE code = 'A'” then"
      ))
    #expect(text.contains("changed 0 rows, 1 when it passed"))
    #expect(
      found.comparison.firstDifference
        == "“DELETE FROM bin WHERE code LIKE ?”: it ran another statement, changed 0 rows, 1 when it passed")
  }

  @Test func aStepThatDidNotRunIsNamedBehindTheOneBefore() throws {
    let found = try Runs().compare(
      {
        $0.bin(1, "A", 2); $0.read(Self.sum, 5)
      },
      {
        $0.bin(1, "A", 2); $0.bin(2, "B", 2); $0.read(Self.sum, 4)
      })
    let text = try #require(found.explanation?.text)
    #expect(text.contains("Behind step 1: "))
    #expect(text.contains("did not run, which it did when it passed; it changed 1 row"))
  }

  @Test func whatAPassAloneDidAtItsEndIsNoDifferenceToAFailedRunButToAnotherPass() throws {
    func compared(_ runs: Runs) throws -> Int {
      try runs.compare(
        {
          $0.bin(1, "A", 2)
        },
        {
          $0.bin(1, "A", 2)
          $0.bin(2, "B", 2)
        }
      ).comparison.different
    }
    #expect(try compared(Runs()) == 0)
    var passes = Runs()
    passes.hasFailed = false
    #expect(try compared(passes) == 1)
  }

  @Test func aReadThatWasNotEndedIsNoReadOfNothing() throws {
    func story(_ isEnded: Bool) -> (inout WrittenStory) -> Void {
      {
        $0.bin(1, "A", 2)
        $0.step(
          "SELECT id FROM bin", rows: isEnded ? 1 : nil, results: isEnded ? "[[1]]" : nil,
          columns: isEnded ? #"["id"]"# : nil)
        $0.read(Self.sum, 5)
      }
    }
    #expect(try Runs().compare(story(false), story(true)).comparison.different == 0)
    #expect(try Runs().compare(story(true), story(false)).comparison.different == 0)
  }

  @Test func theColumnsOfAReadThatFoundNothingAreThoseOfTheOther() throws {
    let found = try Runs().compare(
      {
        $0.step("SELECT code FROM bin", rows: 0)
        $0.read(Self.sum, 5)
      },
      {
        $0.step("SELECT code FROM bin", rows: 1, results: #"[["A"]]"#, columns: #"["code"]"#)
        $0.read(Self.sum, 4)
      })
    #expect(found.explanation?.rows?.columns == ["read", "code"])
  }

  @Test func whatIsAlikeSaysNothing() throws {
    let found = try Runs().compare(
      {
        $0.bin(1, "A", 2); $0.read(Self.sum, 5)
      },
      {
        $0.bin(1, "A", 2); $0.read(Self.sum, 5)
      })
    #expect(found.explanation == nil)
    #expect(found.comparison.different == 0)
  }

  @Test func aReadMoreIsNoCauseWhereALaterWriteExplainsTheValue() throws {
    let found = try Runs().compare(
      {
        $0.read("SELECT count(*) FROM log", 0)
        $0.bin(1, "A", 3)
        $0.read(Self.sum, 5)
      },
      {
        $0.bin(1, "A", 2); $0.read(Self.sum, 4)
      })
    #expect(try #require(found.explanation?.text).contains("At step 2"))
    #expect(found.comparison.different == 3)
  }

  @Test func anotherTableThatNothingReadsIsNotSure() throws {
    let found = try Runs().compare(
      {
        $0.log("new")
        $0.bin(1, "A", 3)
        $0.read(Self.sum, 5)
      },
      {
        $0.log("old")
        $0.bin(1, "A", 2)
        $0.read(Self.sum, 4)
      })
    // What the failing read is made of leads, though another table was different before.
    #expect(try #require(found.explanation?.text).contains("At step 2"))
  }

  @Test func whereTheFailingReadIsTheSameNothingIsSure() throws {
    let found = try Runs().compare(
      {
        $0.log("new")
        $0.bin(1, "A", 5)
        $0.read(Self.sum, 5)
      },
      {
        $0.log("old")
        $0.bin(1, "A", 5)
        $0.read(Self.sum, 5)
      })
    #expect(found.explanation == nil)
    #expect(found.comparison.different == 1)
  }

  @Test func stepsOfTwoTablesMayChangePlaces() throws {
    let log: (inout WrittenStory) -> Void = {
      $0.log("x")
    }
    let found = try Runs().compare(
      {
        log(&$0); $0.bin(1, "A", 5); $0.read(Self.sum, 5)
      },
      {
        $0.bin(1, "A", 5); log(&$0); $0.read(Self.sum, 5)
      })
    #expect(found.comparison.different == 0)
  }

  @Test func stepsOfOneTableThatChangedPlacesAreNamed() throws {
    let raise: (inout WrittenStory, Int, Int) -> Void = { story, old, new in
      story.step("UPDATE bin SET units = units + 1", changed: 1)
      story.change(.update, "bin", 1, old: #"[1,"A",\#(old)]"#, new: #"[1,"A",\#(new)]"#)
    }
    let found = try Runs().compare(
      {
        $0.bin(1, "A", 2)
        $0.step("DELETE FROM bin", changed: 1)
        $0.change(.delete, "bin", 1, old: #"[1,"A",2]"#)
        $0.bin(1, "A", 4)
        raise(&$0, 4, 5)
        $0.read(Self.sum, 5)
      },
      {
        $0.bin(1, "A", 2)
        raise(&$0, 2, 3)
        $0.step("DELETE FROM bin", changed: 1)
        $0.change(.delete, "bin", 1, old: #"[1,"A",3]"#)
        $0.bin(1, "A", 4)
        $0.read(Self.sum, 4)
      })
    let text = try #require(found.explanation?.text)
    #expect(text.contains("UPDATE bin SET units = units + 1"))
  }

  // MARK: - What varies anyway

  @Test func identifiersAreRenamedOneToOne() throws {
    func story(_ id: String, _ units: Int) -> (inout WrittenStory) -> Void {
      {
        $0.bin(1, id, units)
        $0.step(
          "SELECT units FROM bin WHERE code = ?", rows: 1, results: "[[\(units)]]", columns: #"["units"]"#,
          more: #","expanded":"SELECT units FROM bin WHERE code = '\#(id)'""#)
      }
    }
    let (one, two) = ("0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7")
    #expect(try Runs().compare(story(one, 5), story(two, 5)).comparison.different == 0)
    let found = try Runs().compare(story(one, 5), story(two, 4))
    #expect(try #require(found.explanation?.text).contains("wrote bin.units 5, 4 when it passed"))
  }

  @Test func anIdentifierThatLeadsElsewhereIsADifference() throws {
    func story(_ first: String, _ second: String, asked: String, _ units: Int) -> (inout WrittenStory) -> Void
    {
      {
        $0.bin(1, first, 5)
        $0.bin(2, second, 4)
        $0.step(
          "SELECT units FROM bin WHERE code = ?", rows: 1, results: "[[\(units)]]", columns: #"["units"]"#,
          more: #","expanded":"SELECT units FROM bin WHERE code = '\#(asked)'""#)
      }
    }
    let one = ["0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7"]
    let two = ["1f8fad5b-d9cb-469f-a165-70867728950e", "8c9e6679-7425-40de-944b-e07fc1f90ae7"]
    let found = try Runs().compare(
      story(one[0], one[1], asked: one[0], 5), story(two[0], two[1], asked: two[1], 4))
    #expect(try #require(found.explanation?.text).contains("At step 3"))
  }

  @Test func foldersThatARunMadeAreRenamedToo() throws {
    func story(_ folder: String, _ file: String) -> (inout WrittenStory) -> Void {
      {
        $0.step("ATTACH ? AS copy", more: #","expanded":"ATTACH '/tmp/\#(folder)/\#(file)' AS copy""#)
        $0.read(Self.sum, 5)
      }
    }
    let other = story("store-OwgJvX", "copy.sqlite")
    func unique(_ process: Int) -> String {
      "F3D7110E-5815-437E-962B-2C2078C88954-\(process)-0000267B3174EEA4.db"
    }
    #expect(try Runs().compare(story("a", unique(7197)), story("a", unique(12))).comparison.different == 0)
    #expect(try Runs().compare(story("store-8znOQD", "copy.sqlite"), other).comparison.different == 0)
    #expect(try Runs().compare(story("store-8znOQD", "old.sqlite"), other).comparison.different == 1)
  }

  @Test func keysThatTheDatabaseGaveAreRenamedToo() throws {
    func story(_ id: Int, _ units: Int) -> (inout WrittenStory) -> Void {
      {
        $0.bin(id, "A", 1)
        $0.step(
          "INSERT INTO move (bin, units) VALUES (?, ?)", changed: 1,
          more: #","expanded":"INSERT INTO move (bin, units) VALUES (\#(id), \#(units))""#)
        $0.change(.insert, "move", id + 3, new: "[\(id + 3),\(id),\(units),null]")
        $0.read("SELECT sum(units) FROM move", units)
      }
    }
    #expect(try Runs().compare(story(7, 5), story(9, 5)).comparison.different == 0)
    let found = try Runs().compare(story(7, 5), story(9, 4))
    #expect(try #require(found.explanation?.text).contains("wrote move.units 5, 4 when it passed"))
  }

  @Test func aReferenceToAnotherRowIsADifference() throws {
    func story(_ bin: Int) -> (inout WrittenStory) -> Void {
      {
        $0.bin(1, "A", 1)
        $0.bin(2, "B", 1)
        $0.step("INSERT INTO move (bin, units) VALUES (?, ?)", changed: 1)
        $0.change(.insert, "move", 1, new: "[1,\(bin),3,null]")
        $0.read("SELECT sum(units) FROM move WHERE bin = 1", bin == 1 ? 5 : 4)
      }
    }
    let found = try Runs().compare(story(1), story(2))
    #expect(try #require(found.explanation?.text).contains("wrote move.bin 1, 2 when it passed"))
  }

  @Test func momentsLieAsFarFromTheRunsStart() throws {
    func story(_ at: String) -> (inout WrittenStory) -> Void {
      {
        $0.step("INSERT INTO move (units, at) VALUES (?, ?)", changed: 1)
        $0.change(.insert, "move", 1, new: "[1,null,3,\"\(at)\"]")
        $0.read("SELECT count(*) FROM move WHERE at > ?", at.hasPrefix("2026-11-25") ? 5 : 4)
      }
    }
    let runs = Runs(began: 1_795_564_800, passedAt: 1_795_478_400)  // 2026-11-25 and 2026-11-24
    let found = try runs.compare(story("2026-11-25 10:00:00.000"), story("2026-11-24 10:00:01.000"))
    #expect(found.comparison.rows.first?.alike == 1)
    let other = try runs.compare(story("2026-11-25 10:00:00.000"), story("2026-11-24 18:00:00.000"))
    #expect(try #require(other.explanation?.text).contains("wrote move.at"))
  }

  @Test func rowsOfAReadWithoutOrderMayComeInAnyOrder() throws {
    func story(_ rows: String, _ sql: String = "SELECT code FROM bin") -> (inout WrittenStory) -> Void {
      { $0.step(sql, rows: 2, results: rows, columns: #"["code"]"#) }
    }
    #expect(try Runs().compare(story(#"[["A"],["B"]]"#), story(#"[["B"],["A"]]"#)).comparison.different == 0)
    let ordered = "SELECT code FROM bin ORDER BY code"
    #expect(
      try Runs().compare(story(#"[["A"],["B"]]"#, ordered), story(#"[["B"],["A"]]"#, ordered)).comparison
        .different == 1)
  }

  /// Of long results only the first rows are kept.
  @Test(arguments: [
    ("id", #"["C"],["D"]"#, 9, "returned other first rows than when it passed"),
    ("id", #"["B"],["A"]"#, 9, "returned its first rows in another order than when it passed"),
    ("id", #"["C"],["D"]"#, 8, "read 9 rows, 8 when it passed"),
  ]) func aResultOfWhichOnlyTheBeginningIsKeptIsNotCalledAnotherOrder(
    order: String, then: String, count: Int, words: String
  ) throws {
    func story(_ rows: String, _ count: Int) -> (inout WrittenStory) -> Void {
      {
        $0.step(
          "SELECT code FROM bin ORDER BY \(order)", rows: count, results: "[\(rows)]", columns: #"["code"]"#)
      }
    }
    let found = try Runs().compare(story(#"["A"],["B"]"#, 9), story(then, count))
    #expect(try #require(found.comparison.rows.first).words.text.hasSuffix(words))
    #expect(found.comparison.rows.first?.related == nil)
  }

  @Test func longResultsAreHeldBesideEachOtherToo() throws {
    func story(_ numbers: some Sequence<Int>) -> (inout WrittenStory) -> Void {
      {
        $0.step(
          "SELECT id FROM bin ORDER BY code", rows: 300,
          results: "[\(numbers.map { "[\($0)]" }.joined(separator: ","))]", columns: #"["id"]"#)
      }
    }
    let found = try Runs().compare(story(1...300), story((2...301).reversed()))
    #expect(
      try #require(found.comparison.rows.first).words.text.hasSuffix(
        "read 1 row with other values than when it passed"))
  }

  @Test func columnsAreThoseThatTheTableHadThen() throws {
    func story(_ units: Int) -> (inout WrittenStory) -> Void {
      {
        $0.step("CREATE TABLE bin (id INTEGER PRIMARY KEY, units INTEGER)")
        $0.step("INSERT INTO bin VALUES (?, ?)", changed: 1)
        $0.change(.insert, "bin", 1, new: "[1,\(units)]")
        $0.step("CREATE TABLE bin2 (id INTEGER PRIMARY KEY, code TEXT, units INTEGER)")
        $0.step("DROP TABLE bin")
        $0.step("ALTER TABLE bin2 RENAME TO bin")
        $0.bin(2, "A", units)
        $0.read(Self.sum, 2 * units)
      }
    }
    let found = try Runs().compare(story(5), story(4))
    let told = found.comparison.rows.map { ($0.words.text, $0.related?.columns) }
    #expect(told.contains { $0.0.contains("wrote bin.units 5, 4") && $0.1 == ["written", "units", "id"] })
    #expect(
      told.contains { $0.0.contains("wrote bin.units 5, 4") && $0.1 == ["written", "units", "id", "code"] })
    #expect(try #require(found.explanation?.text).contains("wrote bin.units 5, 4"))
  }

  @Test func rowsOfIdentifiersThatNobodySawBeforeMayComeInAnyOrder() throws {
    func story(_ rows: String) -> (inout WrittenStory) -> Void {
      { $0.step("SELECT code, units FROM bin", rows: 2, results: rows, columns: #"["code","units"]"#) }
    }
    let found = try Runs().compare(
      story(#"[["0f8fad5b-d9cb-469f-a165-70867728950e",5],["7c9e6679-7425-40de-944b-e07fc1f90ae7",7]]"#),
      story(#"[["1f8fad5b-d9cb-469f-a165-70867728950e",7],["8c9e6679-7425-40de-944b-e07fc1f90ae7",5]]"#))
    #expect(found.comparison.different == 0)
  }

  @Test func largeNumbersAreEqualOrNot() throws {
    func story(_ id: Int) -> (inout WrittenStory) -> Void {
      {
        $0.step("INSERT INTO move (units) VALUES (?)", changed: 1)
        $0.change(.insert, "move", 1, new: "[1,null,\(id),null]")
        $0.read("SELECT count(*) FROM move", 5)
      }
    }
    #expect(
      try Runs().compare(story(7_000_000_000_000_001), story(7_000_000_000_000_002)).comparison.different == 1
    )
  }

  @Test func anotherDayIsADifferenceWithinOneDay() throws {
    func story(_ day: String) -> (inout WrittenStory) -> Void {
      {
        $0.step("INSERT INTO move (units, at) VALUES (?, ?)", changed: 1)
        $0.change(.insert, "move", 1, new: "[1,null,3,\"\(day)\"]")
        $0.read("SELECT count(*) FROM move", 5)
      }
    }
    let runs = Runs(began: 1_795_564_860, passedAt: 1_795_564_800)
    #expect(try runs.compare(story("2026-11-26"), story("2026-11-25")).comparison.different == 1)
  }

  @Test func aReadThatReturnedNothingOfTheMessageMakesNothingCertain() throws {
    var runs = Runs()
    runs.message = "XCTAssertTrue failed"
    let found = try runs.compare(
      {
        $0.bin(1, "A", 3); $0.read(Self.sum, 3)
      },
      {
        $0.bin(1, "A", 2); $0.read(Self.sum, 2)
      })
    #expect(found.explanation?.certainty == .likely)
  }

  @Test func whatDiffersBetweenPassesIsNoDifference() throws {
    func story(_ token: Int, _ units: Int) -> (inout WrittenStory) -> Void {
      {
        $0.log("\(token)")
        $0.bin(1, "A", units)
        $0.read(Self.sum, units)
      }
    }
    let found = try Runs().compare(story(11, 5), story(22, 4), story(33, 4))
    #expect(try #require(found.explanation?.text).contains("At step 2"))
    #expect(found.comparison.different == 2)
  }

  @Test func whatVariesAnywayIsToldWhereNothingElseIsDifferentAndIsNotSure() throws {
    func story(_ units: Int) -> (inout WrittenStory) -> Void {
      {
        $0.bin(1, "A", units); $0.read(Self.sum, units)
      }
    }
    let found = try Runs().compare(story(5), story(4), story(3))
    #expect(found.explanation?.certainty == .likely)
  }

  // MARK: - How much

  @Test func connectionsThatOnlyReadAreComparedApart() throws {
    func story(readsFirst: Bool) -> (inout WrittenStory) -> Void {
      {
        $0.database(2, "/tmp/shop.sqlite")
        if readsFirst { $0.read("SELECT count(*) FROM log", 0, on: 2) }
        $0.bin(1, "A", 5)
        if !readsFirst { $0.read("SELECT count(*) FROM log", 0, on: 2) }
        $0.read(Self.sum, 5)
      }
    }
    #expect(try Runs().compare(story(readsFirst: true), story(readsFirst: false)).comparison.different == 0)
  }

  @Test func storiesWithNothingInCommonSaySoOnly() throws {
    let found = try Runs().compare(
      { story in for _ in 0..<20 { story.read("SELECT sum(units) FROM bin", 5) } },
      { story in for _ in 0..<20 { story.step("DELETE FROM log", changed: 0) } })
    #expect(found.comparison.isTooDifferent)
    #expect(found.explanation == nil)
  }

  @Test func whatThePassDidBehindTheFailureIsNotMissing() throws {
    let found = try Runs().compare(
      {
        $0.bin(1, "A", 3); $0.read(Self.sum, 5)
      },
      {
        $0.bin(1, "A", 2); $0.read(Self.sum, 4); $0.bin(2, "B", 2); $0.read(Self.sum, 4)
      })
    #expect(found.comparison.different == 2)
  }
}
